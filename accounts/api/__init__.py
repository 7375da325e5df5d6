"""The parts that all API endpoints share: authentication, scopes, rate limits, parsers and pagination."""
