"""Withdrawals of cash: requests, approval, payout."""
