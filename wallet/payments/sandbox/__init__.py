"""The sandbox: a payment provider of our own, for trying cash play without money."""

from wallet.payments.sandbox.provider import SandboxProvider

__all__ = ["SandboxProvider"]
