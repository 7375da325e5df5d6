"""Webhooks: results posted to the addresses of other programs."""
