"""What the analyses of finished deals have in common."""
