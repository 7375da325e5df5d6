"""An independent implementation of the rules for lays (K4 to K11), written only from docs/rules-rummikub.md."""
