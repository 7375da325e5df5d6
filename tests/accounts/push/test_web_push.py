"""The examples of RFC 8291, section 5, and RFC 8292, and input that must be refused."""

import json

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from accounts.push.web_push import (
    LONGEST_MESSAGE,
    Reader,
    build_authorization,
    encode_public_key,
    encrypt,
    encrypt_with,
    from_text,
    make_private_key,
    parse_private_key,
    to_text,
)
from tests.accounts.push_service import decrypt

SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
READER = Reader(
    p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth="BTBZMqHH6r4Tts7J_aSIgg",
)
TEXT = b"When I grow up, I want to be a watermelon"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
    "lcy4a-fN"
)


def test_the_example_of_the_standard_is_reproduced():
    salt = from_text("DGv6ra1nlYgDCS1FRnbzlw")
    assert to_text(encrypt_with(TEXT, READER, parse_private_key(SENDER), salt)) == BODY
    assert decrypt(from_text(BODY), parse_private_key(RECEIVER), READER.auth) == TEXT


def test_no_two_messages_are_alike_and_the_reader_reads_each():
    bodies = {encrypt(TEXT, READER) for _ in range(5)}
    assert len(bodies) == 5
    assert {decrypt(body, parse_private_key(RECEIVER), READER.auth) for body in bodies} == {TEXT}


def test_a_message_has_a_maximum_length():
    assert len(encrypt(b"x" * LONGEST_MESSAGE, READER)) <= 4096
    with pytest.raises(ValueError, match="at most"):
        encrypt(b"x" * (LONGEST_MESSAGE + 1), READER)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", READER.auth),
        ("no key", READER.auth),
        (READER.p256dh[:-4], READER.auth),
        # A public key that is not a point on the curve.
        (to_text(b"\x04" + b"\x01" * 64), READER.auth),
        (READER.p256dh, ""),
        (READER.p256dh, READER.auth[:-4]),
        (READER.p256dh, "*" * 22),
    ],
)
def test_malformed_keys_are_refused(p256dh, auth):
    with pytest.raises(ValueError, match=r"."):
        Reader(p256dh=p256dh, auth=auth)


def test_the_sender_signs_its_identity():
    key = make_private_key()
    to = {"endpoint": "https://push.example/send/abc", "contact": "mailto:a@play.example"}
    header = build_authorization(**to, key=key, now=1_000)["Authorization"]
    token, point = header.removeprefix("vapid t=").split(", k=")
    public = parse_private_key(key).public_key()
    assert from_text(point) == encode_public_key(public)
    signed, _, signature = token.rpartition(".")
    head, claims = (json.loads(from_text(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert claims == {
        "aud": "https://push.example",
        "exp": 1_000 + 12 * 3_600,
        "sub": "mailto:a@play.example",
    }
    halves = from_text(signature)
    assert len(halves) == 64
    numbers = (int.from_bytes(half, "big") for half in (halves[:32], halves[32:]))
    public.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
