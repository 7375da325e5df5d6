"""Rummikub (docs/rules-rummikub.md)."""
