"""The operator's texts about the site, as pages and mails read them."""
