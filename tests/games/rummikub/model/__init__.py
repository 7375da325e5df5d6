"""A second set of rules, written from docs/rules-rummikub.md alone, that matches are compared with."""
