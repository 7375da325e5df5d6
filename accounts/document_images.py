"""Is this an image, whole and of a sensible size? Read from its structure, never from its name.

PNG and JPEG alone, and without decoding them: a decoder fed by strangers is a risk of its own.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

LARGEST_BYTES = 5 * 1024 * 1024
_SIDES = range(200, 12_001)  # pixels
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_START_OF_SCAN = 0xDA
# Markers that begin a frame and carry its size; C4, C8 and CC are something else.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class NotADocument(ValueError):  # noqa: N818 - expected: people send all kinds of files
    """`code` is too_large, not_an_image, damaged or wrong_size."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class ImageFacts:
    content_type: str
    extension: str
    width: int
    height: int


def read_image(content: bytes) -> ImageFacts:
    """Raises NotADocument."""
    if len(content) > LARGEST_BYTES:
        raise NotADocument("too_large")
    if content.startswith(_PNG):
        facts = ImageFacts("image/png", "png", *_png_size(content))
    elif content.startswith(_JPEG):
        facts = ImageFacts("image/jpeg", "jpg", *_jpeg_size(content))
    else:
        raise NotADocument("not_an_image")
    if facts.width not in _SIDES or facts.height not in _SIDES:
        raise NotADocument("wrong_size")
    return facts


def _png_size(content: bytes) -> tuple[int, int]:
    chunks = list(_png_chunks(content))
    kinds = [kind for kind, _data in chunks]
    header = chunks[0][1] if chunks else b""
    if kinds[:1] != [b"IHDR"] or kinds[-1] != b"IEND" or b"IDAT" not in kinds or len(header) != 13:  # noqa: PLR2004 - PNG's number
        raise NotADocument("damaged")
    return int.from_bytes(header[:4]), int.from_bytes(header[4:8])


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(_PNG)
    while place < len(content):
        length = int.from_bytes(content[place : place + 4])
        end = place + 12 + length
        checked, crc = content[place + 4 : end - 4], content[end - 4 : end]
        if end > len(content) or zlib.crc32(checked) != int.from_bytes(crc):
            raise NotADocument("damaged")
        yield checked[:4], checked[4:]
        place = end


def _jpeg_size(content: bytes) -> tuple[int, int]:
    size = None
    place = 2
    while place + 4 <= len(content) and content[place] == 0xFF:  # noqa: PLR2004 - JPEG's number
        marker = content[place + 1]
        length = int.from_bytes(content[place + 2 : place + 4])
        if marker in _FRAMES:
            height, width = content[place + 5 : place + 7], content[place + 7 : place + 9]
            size = int.from_bytes(width), int.from_bytes(height)
        # Cameras put data of their own behind the end of the image, so it need not be the last.
        if marker == _START_OF_SCAN and size and content.find(b"\xff\xd9", place) > 0:
            return size
        if marker == _START_OF_SCAN or length < 2:  # noqa: PLR2004 - a length counts itself
            break
        place += 2 + length
    raise NotADocument("damaged")
