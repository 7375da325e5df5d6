"""Basic rummy (docs/rules-basic.md)."""
