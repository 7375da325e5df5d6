"""The analysis of finished deals of Indian rummy."""
