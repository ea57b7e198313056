"""What builds and checks the checkout; not part of the package that players get."""
