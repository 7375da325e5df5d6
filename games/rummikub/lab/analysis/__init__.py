"""The analysis of finished deals of Rummikub."""
