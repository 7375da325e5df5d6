"""Chips from the house: welcome chips, daily practice chips, and adjustments by staff."""
