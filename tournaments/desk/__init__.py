"""The administration of tournaments, templates and leagues, with a calendar and previews."""
