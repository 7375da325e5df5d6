"""Our own scripts and style sheets as browsers get them: without what is only for their readers.

Comments and indentation are a third of them. Names and statements stay, so what a browser reports
is found in the source. Strings hold none of what is taken out; tests/config/assets/test_static.py checks that
the scripts still pass their tests.
"""

import re
from typing import Final

_BLOCKS: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINES: Final = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_INDENTATION: Final = re.compile(r"\n\s+")
_AROUND_SIGNS: Final = re.compile(r"\s*([{};,])\s*")
_AFTER_PROPERTIES: Final = re.compile(r"(?<=[{;])([\w-]+):\s+")


def script(source: str) -> str:
    return _INDENTATION.sub("\n", _LINES.sub("", _BLOCKS.sub("", source))).strip() + "\n"


def style_sheet(source: str) -> str:
    tight = _AROUND_SIGNS.sub(r"\1", _BLOCKS.sub("", source))
    return _AFTER_PROPERTIES.sub(r"\1:", tight).replace(";}", "}").strip() + "\n"
