"""The engines that the smoke clients run in: finding them, fetching what can be fetched, running them."""
