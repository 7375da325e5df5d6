"""Markdown of staff as HTML: no raw HTML, no images, no links that run something."""

from functools import cache
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_SMALLEST: Final = 6


def html_of(text: str) -> SafeString:
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            # The page has a title of its own above them.
            token.tag = f"h{min(int(token.tag[1]) + 1, _SMALLEST)}"
    # Raw HTML in it stays text, and markdown-it drops links such as javascript:.
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)  # noqa: S308


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    return parser


def _open_table(_self: object, *_arguments: object) -> str:
    return '<div class="table-scroll" tabindex="0" role="group"><table class="data-table">\n'


def _close_table(_self: object, *_arguments: object) -> str:
    return "</table></div>\n"
