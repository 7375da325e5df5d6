"""Static files as production serves them, the operator's colours and logo, and the installable app."""
