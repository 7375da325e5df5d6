"""Parts that the wallet's pages for staff share."""
