"""Our own scripts and style sheets as browsers get them: without what is only for their readers.

Comments and indentation are a third of them. Names and statements stay, so what a browser reports
is found in the source. Strings hold none of what is taken out; tests/config/assets/test_static.py
checks that, and that the scripts still pass their tests. Where ESBUILD names its program, as in the
build of the image, the script of a page gets short names as well (docs/adr/0013).
"""

import os
import re
import subprocess
from typing import Final

_BLOCKS: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINES: Final = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_INDENTATION: Final = re.compile(r"\n\s+")
# After these a line cannot end a statement, nor before those.
_AFTER_OPENING: Final = re.compile(r"([,({\[])\n")
_BEFORE_CLOSING: Final = re.compile(r"\n([)\].?])")
# No string of ours holds one of these.
_SPACED: Final = re.compile(r" (=>|===|!==|&&|\|\||\?\?) |(?<=\)) (?=\{)")
# Imports and exports stay on lines of their own, where bundling.py looks for them.
_AFTER_STATEMENT: Final = re.compile(r"^(?!import)(.*;)\n(?!import|export)", re.MULTILINE)
_AROUND_SIGNS: Final = re.compile(r"\s*([{};,])\s*")
_ZERO_BEFORE_POINT: Final = re.compile(r"(?<![\w.-])0(?=\.\d)")
_AFTER_PROPERTIES: Final = re.compile(r"(?<=[{;])([\w-]+):\s+")


def _bare_sign(match: re.Match[str]) -> str:
    return match[1] or ""


def script(source: str) -> str:
    bare = _INDENTATION.sub("\n", _LINES.sub("", _BLOCKS.sub("", source))).strip()
    tight = _BEFORE_CLOSING.sub(r"\1", _AFTER_OPENING.sub(r"\1", bare))
    return _SPACED.sub(_bare_sign, _AFTER_STATEMENT.sub(r"\1", tight)) + "\n"


def whole_script(source: str) -> str:
    """A script that others know by its exports alone. Raises CalledProcessError."""
    program = os.environ.get("ESBUILD")
    if not program:
        return source
    return subprocess.run(  # noqa: S603 - who builds the image has named it
        [program, "--minify", "--format=esm", "--loader=js", "--log-level=warning"],
        input=source,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout


def style_sheet(source: str) -> str:
    tight = _AROUND_SIGNS.sub(r"\1", _BLOCKS.sub("", source))
    tight = _ZERO_BEFORE_POINT.sub("", tight)
    return _AFTER_PROPERTIES.sub(r"\1:", tight).replace(";}", "}").strip() + "\n"
