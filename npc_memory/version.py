"""The package's version; save schema, wire and behaviour carry versions of their own."""

__all__ = ["__version__"]

__version__ = "0.1.0"
