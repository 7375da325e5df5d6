"""Results of matches and tournaments for programs of the operator's: signed, tried again, logged."""
