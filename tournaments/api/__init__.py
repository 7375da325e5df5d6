"""REST: tournaments, entering and leaving them."""
