"""Mails by kind: the usual text of each, and what the operator writes in its place."""
