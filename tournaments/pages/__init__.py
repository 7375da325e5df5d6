"""The pages of tournaments, brackets and leagues."""
