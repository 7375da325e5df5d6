"""What the operator writes about the site, in the administration."""
