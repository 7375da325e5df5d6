"""What a site needs, each line checked against the facts: the page "Set up your site" and `manage.py doctor`."""
