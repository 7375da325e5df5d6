"""Images that a browser uploads as documents. Staff see them without metadata."""

import base64

import pytest
from playwright.sync_api import Page

from core.images import strip_metadata
from tests.accounts.images import exif, png_with_notes, with_notes

DRAW = """kind => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [640, 300];
  const brush = canvas.getContext("2d");
  for (let x = 0; x < 640; x += 8) {
    brush.fillStyle = `hsl(${x} 80% 50%)`;
    brush.fillRect(x, 0, 8, 300);
  }
  return canvas.toDataURL(kind, 0.9);
}"""
LOOK = """async url => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0);
  return [canvas.width, canvas.height, canvas.toDataURL("image/png")];
}"""


def draw(page: Page, kind: str) -> bytes:
    return base64.b64decode(page.evaluate(DRAW, kind).partition(",")[2])


def read_image(page: Page, kind: str, image: bytes) -> list[object]:
    url = f"data:{kind};base64,{base64.b64encode(image).decode()}"
    found: list[object] = page.evaluate(LOOK, url)
    return found


@pytest.mark.parametrize(
    ("kind", "note", "sides"),
    [
        ("image/jpeg", lambda image: with_notes(image, exif(1)), [640, 300]),
        ("image/jpeg", lambda image: with_notes(image, exif(6)), [300, 640]),
        ("image/png", png_with_notes, [640, 300]),
    ],
    ids=["upright", "turned", "png"],
)
def test_a_stored_image_keeps_its_picture_and_orientation(page, kind, note, sides):
    noted = note(draw(page, kind))
    plain = strip_metadata(noted)
    assert b"Nimbu" in noted
    assert b"Nimbu" not in plain
    assert read_image(page, kind, plain) == read_image(page, kind, noted)
    assert read_image(page, kind, plain)[:2] == sides
