"""Gin rummy (docs/rules-gin.md)."""
