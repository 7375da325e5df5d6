"""Deposits of cash: payments, their refunds, the pages and the e-mail."""
