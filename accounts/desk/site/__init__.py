"""The operator's texts about the site, in the administration."""
