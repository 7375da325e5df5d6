"""Detection of collusion: each finished match is measured once, pairs are compared every night."""
