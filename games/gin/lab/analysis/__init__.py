"""The analysis of finished deals of gin."""
