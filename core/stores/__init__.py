"""The cache, and answers that nobody may cache."""
