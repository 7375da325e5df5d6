"""The needs of a site, each checked against the facts, for the page "Set up your site" and `manage.py doctor`."""
