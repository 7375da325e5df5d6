"""The administration of people and roles."""
