"""Entering and withdrawing, with fees, tickets and the waiting list."""
