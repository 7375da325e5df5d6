"""Images of identity documents: which are accepted and which are refused."""

from datetime import date

import pytest

from accounts.identity.rules import age_on, mask_number, tidy_document_number, tidy_full_name
from core.images import (
    LARGEST_BYTES,
    ImageFacts,
    NotADocument,
    read_image,
    strip_metadata,
)
from tests.accounts.images import exif, jpeg, png, png_with_notes, with_notes


def test_images_are_known_by_their_structure():
    assert read_image(png(640, 300)) == ImageFacts("image/png", "png", 640, 300)
    assert read_image(jpeg(640, 300)) == ImageFacts("image/jpeg", "jpg", 640, 300)
    assert read_image(jpeg(tail=b"what a phone adds")).extension == "jpg"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not_an_image"),
        (b"GIF89a" + bytes(500), "not_an_image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>x</script></svg>", "not_an_image"),
        (b"%PDF-1.7", "not_an_image"),
        (png()[:-1], "damaged"),
        (png() + b"<script>", "damaged"),
        (png().replace(b"IHDR", b"IHDX"), "damaged"),
        (png()[:8], "damaged"),
        (jpeg()[:-2], "damaged"),
        (jpeg()[:10], "damaged"),
        (b"\xff\xd8\xff\xe0\x00\x00", "damaged"),
        (b"\xff\xd8\xff<script>", "damaged"),
        (png(199, 400), "wrong_size"),
        (jpeg(600, 12_001), "wrong_size"),
        # A small file that would take 200 MB once it is decoded.
        (jpeg(10_000, 5_001), "wrong_size"),
        (png(10_000, 5_001), "wrong_size"),
        # The first frame header says another size than the second.
        (jpeg()[:2] + jpeg(9_000, 9_000)[20:33] + jpeg()[2:], "damaged"),
        (jpeg(tail=bytes(LARGEST_BYTES)), "too_large"),
    ],
)
def test_a_file_that_is_not_an_image_is_refused(content, code):
    with pytest.raises(NotADocument) as refusal:
        read_image(content)
    assert refusal.value.code == code


def test_a_jpeg_is_stored_without_metadata():
    comment = b"\xff\xfe\x00\x0ehello there!"
    noted = with_notes(jpeg(tail=b"a film of the moment before"), exif(1), comment)
    plain = strip_metadata(noted)
    for secret in (b"Nimbu", b"77.5946", b"hello", b"film", b"JFIF"):
        assert secret not in plain
    assert read_image(plain) == read_image(noted)
    assert plain.endswith(b"data\xff\xd9")
    assert strip_metadata(plain) == plain


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", [1, 6, 8])
def test_a_jpeg_keeps_its_orientation(orientation, order):
    plain = strip_metadata(with_notes(jpeg(), exif(orientation, order=order)))
    assert b"Nimbu" not in plain
    assert plain[2:4] == b"\xff\xe1"
    assert plain[:120].count(b"Exif\0\0") == 1
    assert plain[31] == orientation


@pytest.mark.parametrize(
    "broken", [exif(9), exif(0), exif()[:12], b"\xff\xe1\x00\x10Exif\0\0II*\0\xff\xff\xff\xff"]
)
def test_broken_metadata_is_ignored(broken):
    length = (len(broken) - 2).to_bytes(2)
    segment = broken[:2] + length + broken[4:]
    assert strip_metadata(with_notes(jpeg(), segment)) == strip_metadata(jpeg())


def test_a_progressive_jpeg_stays_whole():
    """Progressive JPEGs have tables between scans. In a scan, FF 00 and restart markers do not end it."""
    table = b"\xff\xc4\x00\x05abc"
    scan = b"\xff\xda" + bytes([0, 8]) + bytes(6) + b"x\xff\x00y\xff\xd3z"
    image = jpeg()
    start = image.index(b"\xff\xda")
    whole = image[:start] + scan + table + exif() + image[start:]
    plain = strip_metadata(whole)
    assert plain.endswith(scan + table + image[start:])
    assert b"Nimbu" not in plain


def test_a_png_is_stored_without_metadata():
    assert b"Nimbu" in png_with_notes(png())
    assert strip_metadata(png_with_notes(png())) == png()


def test_age_in_whole_years():
    assert age_on(date(2026, 5, 4), born_on=date(2008, 5, 5)) == 17
    assert age_on(date(2026, 5, 5), born_on=date(2008, 5, 5)) == 18
    assert age_on(date(2026, 2, 28), born_on=date(2008, 2, 29)) == 17
    assert age_on(date(2026, 3, 1), born_on=date(2008, 2, 29)) == 18


def test_names_and_numbers_are_tidied():
    assert tidy_full_name("  Asha   R. Rao ") == "Asha R. Rao"
    assert tidy_full_name("आशा राव") == "आशा राव"
    assert tidy_document_number("PAN", "abcde 1234-f") == "ABCDE1234F"
    assert mask_number("ABCDE1234F") == "••••••234F"


@pytest.mark.parametrize("text", ["", "A", "Asha <b>", "1234", "Asha\u202e", "x" * 101])
def test_an_invalid_name_is_refused(text):
    with pytest.raises(ValueError, match="no name"):
        tidy_full_name(text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("PAN", "ABCDE1234"),
        ("PAN", "ABCDE१२३४F"),
        ("PASSPORT", "A123456"),
        ("VOTER_ID", "AB1234567"),
        ("DRIVING_LICENCE", "12345"),
    ],
)
def test_an_invalid_number_is_refused(kind, text):
    with pytest.raises(ValueError, match="no number"):
        tidy_document_number(kind, text)
