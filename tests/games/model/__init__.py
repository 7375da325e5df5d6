"""An independent implementation of Indian rummy's rules, written only from docs/rules.md."""
