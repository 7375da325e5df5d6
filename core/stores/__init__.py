"""The cache, and headers that keep private responses out of caches."""
