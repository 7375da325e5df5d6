"""Payment providers: their interface, the list of this site's providers, and cases from their reports."""
