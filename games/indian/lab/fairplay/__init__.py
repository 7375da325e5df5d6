"""Measures of collusion in deals of Indian rummy."""
