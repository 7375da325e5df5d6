"""Validates images by their structure, never by their names: they must be complete and have a reasonable size.

Only PNG and JPEG are accepted. Images are not decoded, because decoding untrusted files is a risk.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

LARGEST_BYTES = 5 * 1024 * 1024
_SIDES = range(200, 12_001)  # pixels
# As many as the best phone cameras produce. Browsers of staff decode an image, at four bytes for each pixel.
MOST_PIXELS = 50_000_000
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_START_OF_SCAN, _END_OF_IMAGE, _APP1 = 0xDA, 0xD9, 0xE1
# A marker within entropy-coded data: neither a stuffed FF byte nor a restart marker.
_MARKER = re.compile(rb"\xff+[^\x00\xd0-\xd7\xff]")
# Segments with programs' notes, except the one that says how to read colours (Adobe's).
_JPEG_NOTES = (frozenset(range(0xE0, 0xF0)) - {0xEE}) | {0xFE}
_ORIENTATION, _MOST_TAGS = 0x0112, 200
_PNG_KEPT = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
# Markers that begin a frame and carry its size; C4, C8 and CC mean something else.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class NotADocument(ValueError):  # noqa: N818 - expected: people send all kinds of files
    """The file is not an acceptable image. `code` is too_large, not_an_image, damaged or wrong_size."""

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
    """Return the image's type and size. Raises NotADocument."""
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
    if facts.width * facts.height > MOST_PIXELS:
        raise NotADocument("wrong_size")
    return facts


def strip_metadata(content: bytes) -> bytes:
    """Return the image without the metadata of cameras and programs, such as place, device and time.

    Raises NotADocument.
    """
    read_image(content)
    return _strip_png(content) if content.startswith(_PNG) else _strip_jpeg(content)


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


def _strip_png(content: bytes) -> bytes:
    kept = [
        len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)
        for kind, data in _png_chunks(content)
        if kind in _PNG_KEPT
    ]
    return _PNG + b"".join(kept)


def _jpeg_size(content: bytes) -> tuple[int, int]:
    sizes = [
        (int.from_bytes(data[7:9]), int.from_bytes(data[5:7]))
        for marker, data in _jpeg_parts(content)
        if marker in _FRAMES and len(data) > 8  # noqa: PLR2004 - up to the width
    ]
    if len(sizes) != 1:  # another frame may be of another size
        raise NotADocument("damaged")
    return sizes[0]


def _strip_jpeg(content: bytes) -> bytes:
    """Strip the metadata and everything after the image's end, such as a short film."""
    kept = [data for marker, data in _jpeg_parts(content) if marker not in _JPEG_NOTES]
    return content[:2] + _find_orientation(content) + b"".join(kept)


def _jpeg_parts(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each marker of a JPEG with the data that belongs to it, up to the end of the image.

    The data of a scan includes the compressed picture. Raises NotADocument if the file is damaged.
    """
    place, has_scan = 2, False
    while content[place : place + 1] == b"\xff":
        marker = content[place + 1] if place + 1 < len(content) else 0
        if marker == _END_OF_IMAGE and has_scan:
            yield marker, content[place : place + 2]
            return
        if marker == 0xFF:  # noqa: PLR2004 - any number of them may stand before a marker
            place += 1
            continue
        length = int.from_bytes(content[place + 2 : place + 4])
        end = place + 2 + length
        if length < 2 or end > len(content):  # noqa: PLR2004 - a length counts itself
            break
        if marker == _START_OF_SCAN:
            has_scan, next_marker = True, _MARKER.search(content, end)
            end = next_marker.start() if next_marker else len(content)
        yield marker, content[place:end]
        place = end
    raise NotADocument("damaged")


def _find_orientation(content: bytes) -> bytes:
    """Return an EXIF segment that contains only the image's orientation. Empty if the image has none.

    Without the orientation, staff would see some documents sideways.
    """
    for marker, data in _jpeg_parts(content):
        if marker == _APP1 and data[4:10] == b"Exif\0\0":
            value = _read_orientation(data[10:])
            if value is not None:
                tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01"
                body = b"Exif\0\0" + tiff + bytes([0, value, 0, 0, 0, 0, 0, 0])
                return b"\xff\xe1" + (len(body) + 2).to_bytes(2) + body
    return b""


def _read_orientation(tiff: bytes) -> int | None:
    """Return the orientation in an EXIF block, from 1 to 8, or None if it has none."""
    order: Literal["little", "big"] = "little" if tiff[:2] == b"II" else "big"
    first = int.from_bytes(tiff[4:8], order)
    for number in range(min(int.from_bytes(tiff[first : first + 2], order), _MOST_TAGS)):
        start = first + 2 + 12 * number
        tag = tiff[start : start + 12]
        if int.from_bytes(tag[:2], order) == _ORIENTATION:
            value = int.from_bytes(tag[8:10], order)
            return value if value in range(1, 9) else None
    return None
