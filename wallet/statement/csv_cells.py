"""Words for a file that people open in a spreadsheet."""

# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def text_cell(text: str) -> str:
    """A text that a spreadsheet shows as it is and never works out. Numbers need none of it: a
    minus and digits are a number."""
    return f"'{text}" if text.startswith(_FORMULA) else text
