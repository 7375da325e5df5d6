"""Static files as production ships them, the operator's colours and logo, and the site as an app."""
