"""500 Rum (docs/rules-five_hundred.md)."""
