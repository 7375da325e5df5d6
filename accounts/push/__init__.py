"""A player's devices and the messages to them (Web Push)."""
