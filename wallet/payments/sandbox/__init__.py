"""A payment provider of our own, for trying cash play without money."""

# The worker that imports the provider has to know its task as well.
from wallet.payments.sandbox import tasks
from wallet.payments.sandbox.provider import SandboxProvider

__all__ = ["SandboxProvider", "tasks"]
