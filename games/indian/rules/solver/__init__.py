"""The solver, which arranges a hand in the groups that count least (R6).

A card that lies in a meld and does not count is free, and its meld frees its points (R6.3). The arrangement that frees
the most points counts least. The modules call a sequence a run, and describe it by its natural cards and by the number
of jokers that it needs.
"""
