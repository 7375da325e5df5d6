"""Rehearsals (`bin/rehearse`), which check on real Debian machines what the documents for operators promise."""
