"""The documents of the repository as pages of the site: /docs/."""
