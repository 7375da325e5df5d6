"""A second set of rules, written from docs/rules.md alone, that whole matches are compared with."""
