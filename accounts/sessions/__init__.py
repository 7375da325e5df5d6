"""Sessions, their revocation, which closes sockets, and recent proofs of identity."""
