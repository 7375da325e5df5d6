"""The repository's documents as pages of the site: /docs/."""
