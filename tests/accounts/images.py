"""Small images made by hand, chunk by chunk and marker by marker."""

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
