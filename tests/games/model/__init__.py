"""A second set of rules of Indian rummy, written from docs/rules.md alone."""
