"""What the API shares: authentication, scopes, rate limits, parsers and pages of results."""
