"""Bonuses, campaigns with codes, and referrals."""
