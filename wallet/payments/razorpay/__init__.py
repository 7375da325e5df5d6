"""Razorpay: payment links in, refunds back, payouts of RazorpayX to UPI addresses."""

from wallet.payments.razorpay.provider import RazorpayProvider

__all__ = ["RazorpayProvider"]
