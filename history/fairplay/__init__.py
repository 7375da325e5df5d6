"""Detection of collusion. Each finished match is traced once, and pairs of players are compared every night."""
