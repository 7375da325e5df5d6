"""Cash out: requests, approval, payout."""
