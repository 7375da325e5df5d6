"""Building blocks for the wallet's staff pages."""
