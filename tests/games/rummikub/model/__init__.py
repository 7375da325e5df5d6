"""A second set of rules for lays, written from docs/rules-rummikub.md alone (K4 to K11)."""
