"""Results posted to addresses of other programs."""
