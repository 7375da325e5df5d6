"""What passes for an image of a document."""

from datetime import date

import pytest

from accounts.document_images import LARGEST_BYTES, ImageFacts, NotADocument, read_image
from accounts.identity_rules import age_on, masked, tidy_document_number, tidy_full_name
from tests.accounts.images import jpeg, png


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
        (jpeg(tail=bytes(LARGEST_BYTES)), "too_large"),
    ],
)
def test_anything_else_is_refused(content, code):
    with pytest.raises(NotADocument) as refusal:
        read_image(content)
    assert refusal.value.code == code


def test_age_in_whole_years():
    assert age_on(date(2026, 5, 4), born_on=date(2008, 5, 5)) == 17
    assert age_on(date(2026, 5, 5), born_on=date(2008, 5, 5)) == 18
    assert age_on(date(2026, 2, 28), born_on=date(2008, 2, 29)) == 17
    assert age_on(date(2026, 3, 1), born_on=date(2008, 2, 29)) == 18


def test_names_and_numbers_are_tidied():
    assert tidy_full_name("  Asha   R. Rao ") == "Asha R. Rao"
    assert tidy_full_name("आशा राव") == "आशा राव"
    assert tidy_document_number("PAN", "abcde 1234-f") == "ABCDE1234F"
    assert masked("ABCDE1234F") == "••••••234F"


@pytest.mark.parametrize("text", ["", "A", "Asha <b>", "1234", "Asha\u202e", "x" * 101])
def test_what_is_no_name(text):
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
def test_what_is_no_number(kind, text):
    with pytest.raises(ValueError, match="no number"):
        tidy_document_number(kind, text)
