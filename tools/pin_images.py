"""python tools/pin_images.py [--check]: pin third-party images by their registries' current digests.

It writes `name:tag@sha256:…` into the Dockerfile, compose.yaml, the chart and the container for
development, and prints each image once with its digest. `--check` only lists images without a digest. It asks
Docker's buildx, which must be able to reach the registries.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_IMAGE = r"(?P<image>[a-z][\w./-]*:[\w.-]+)(?P<digest>@sha256:[0-9a-f]{64})?"
# Text before and after an image's name, by file. Images of this project have no fixed name there.
PLACES = {
    "Dockerfile": rf"(?m)(?<=^ARG BASE_IMAGE=){_IMAGE}",
    "compose.yaml": rf"(?m)(?<=^    image: ){_IMAGE}$",
    "deploy/chart/values.yaml": rf"(?m)(?<=^    )(?P<name>\w+: ){_IMAGE}$",
    ".devcontainer/devcontainer.json": rf'(?<="image": "){_IMAGE}(?=")',
}
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def images_in(path, text):
    """Return the images in a file with their digests. An image without a digest has None."""
    found = re.finditer(PLACES[path], text)
    return {match["image"]: match["digest"] for match in found}


def pin_text(path, text, digests):
    """Return the text of a file, with its digest added to each image."""

    def pin(match):
        name = match.groupdict().get("name") or ""
        return f"{name}{match['image']}@{digests[match['image']]}"

    return re.sub(PLACES[path], pin, text)


def digest_of(image):
    """Ask the registry for the digest of an image for all platforms."""
    form = "{{.Manifest.Digest}}"
    command = ["docker", "buildx", "imagetools", "inspect", "--format", form, image]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not DIGEST.fullmatch(told):
        raise SystemExit(f"{image}: the registry tells no digest but {told!r}.")
    return told


def main(*arguments):
    texts = {path: (ROOT / path).read_text() for path in PLACES}
    images = {}
    for path, text in texts.items():
        images |= images_in(path, text)
    if arguments == ("--check",):
        loose = sorted(image for image, digest in images.items() if digest is None)
        for image in loose:
            print(image)
        return 1 if loose else 0
    # Resolve all of them before writing a file.
    digests = {image: digest_of(image) for image in sorted(images)}
    for path, text in texts.items():
        (ROOT / path).write_text(pin_text(path, text, digests))
    for image, digest in digests.items():
        print(f"{image}@{digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
