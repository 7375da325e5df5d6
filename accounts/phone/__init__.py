"""Signing in by phone number with a code by text message."""
