"""A tournament's rows and locks, fees, reading and announcements."""
