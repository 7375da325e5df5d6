"""A second set of rules, written from docs/rules-basic.md alone, that matches are compared with."""
