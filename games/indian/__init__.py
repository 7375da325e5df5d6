"""13-card Indian rummy (docs/rules.md)."""
