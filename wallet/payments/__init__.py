"""Payment providers: the interface, the site's list, and what they report."""
