"""The solver, which arranges a hand in the groups that count least (R6).

A meld frees its cards if their points do not count (R6.3). The arrangement that frees the most points counts least. The
modules call a sequence a run, and describe it by its natural cards and by the number of jokers that it needs.
"""
