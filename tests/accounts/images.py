"""Builders of small PNG and JPEG images, chunk by chunk and marker by marker."""

import struct
import zlib


def png(width=600, height=400):
    rows = zlib.compress(b"\0" * (height * (width // 8 + 1)))
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def jpeg(width=600, height=400, tail=b""):
    app = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0" + bytes(9)
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + bytes(3)
    scan = b"\xff\xda" + struct.pack(">H", 8) + bytes(6) + b"data" + b"\xff\xd9"
    return b"\xff\xd8" + app + frame + scan + tail


def exif(orientation=6, *, order="<"):
    """Build an EXIF segment as phones write it: the orientation, the device and its location."""
    mark = b"II" if order == "<" else b"MM"
    secret = b"Nimbu Phone 9, 12.9716 N 77.5946 E\0"
    turned = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
    device = struct.pack(f"{order}HHII", 0x0110, 2, len(secret), 38)
    tags = struct.pack(f"{order}H", 2) + turned + device
    tiff = mark + struct.pack(f"{order}HI", 42, 8) + tags + bytes(4) + secret
    body = b"Exif\0\0" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def with_notes(image, *segments):
    """Insert these segments after a JPEG's start marker."""
    return image[:2] + b"".join(segments) + image[2:]


def png_with_notes(image):
    """Add the author's name and the time to a PNG."""
    end = image.index(b"IDAT") - 4
    notes = b""
    for kind, data in ((b"tEXt", b"Author\0Nimbu Phone 9"), (b"eXIf", b"MM\0*secret place")):
        notes += struct.pack(">I", len(data)) + kind + data
        notes += struct.pack(">I", zlib.crc32(kind + data))
    return image[:end] + notes + image[end:]
