"""What was played: matches, records, replays and archives, and what is made from them.

Analyses and `puzzles` teach, `fairplay` looks for collusion, `support` answers what players ask about a deal,
corrections put a finished match right, open data shows all to anybody.
"""
