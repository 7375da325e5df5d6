"""What a tournament does next: formats, bracket, payouts, life and schedule. Pure."""
