"""Finished play: matches, records, replays and archives, and everything that is computed from them.

Analyses and `puzzles` teach players, and `fairplay` looks for collusion. `support` handles players' questions about a
deal. Corrections repair the result of a finished match. Open data publishes deals for everybody.
"""
