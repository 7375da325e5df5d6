"""Cash in."""
