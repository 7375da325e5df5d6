"""A second set of rules for what is laid and bought, written from docs/rules-contract.md alone."""
