"""Contract Rummy (docs/rules-contract.md)."""
