"""What the operator says about the site itself, as pages and mails read it."""
