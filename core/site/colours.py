"""Brand colours: their contrast, and their stylesheet. Pure.

The stylesheet sets the colour itself, its hover colour, its text colour, and a tint of it for backgrounds: the four
`--brand` values of static/css/tokens.css.
"""

from typing import Final

# --paper of tokens.css, and the darkest and lightest text on buttons.
LIGHT_PAPER: Final = "#f6f4ee"
DARK_PAPER: Final = "#0f1613"
LIGHT_INK: Final = "#ffffff"
DARK_INK: Final = "#0b1210"
# Below this sRGB is linear.
_LINEAR: Final = 0.04045
# WCAG 2.2, 1.4.3, for text of normal size.
LEAST_CONTRAST: Final = 4.5


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (#rrggbb), from 1 to 21."""
    lighter, darker = sorted((_compute_luminance(one), _compute_luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def reads_on_light(colour: str) -> bool:
    """Return whether the colour is readable as a link on a light page, and as a background of white text."""
    return (
        min(compute_contrast(colour, LIGHT_PAPER), compute_contrast(colour, LIGHT_INK))
        >= LEAST_CONTRAST
    )


def reads_on_dark(colour: str) -> bool:
    """Return whether the colour is readable as a link on a dark page, and as a background of dark text."""
    return (
        min(compute_contrast(colour, DARK_PAPER), compute_contrast(colour, DARK_INK))
        >= LEAST_CONTRAST
    )


def render_stylesheet(light: str, dark: str) -> str:
    return f""":root {{
  --brand: light-dark({light}, {dark});
  --brand-strong: light-dark(color-mix(in srgb, {light} 78%, black), color-mix(in srgb, {dark} 78%, white));
  --brand-ink: light-dark({LIGHT_INK}, {DARK_INK});
  --brand-wash: light-dark(color-mix(in srgb, {light} 12%, white), color-mix(in srgb, {dark} 18%, {DARK_PAPER}));
}}
"""


def _compute_luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= _LINEAR else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
