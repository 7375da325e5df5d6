"""A tournament's rows and locks, its fees, queries and announcements."""
