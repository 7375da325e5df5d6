"""Vendored third-party files are identical to the published ones."""

import hashlib

from tests.programs import ROOT

FOLDERS = [ROOT / "static/vendor", ROOT / "tests/vendor"]


def test_every_vendored_file_is_unchanged_and_has_its_licence() -> None:
    folders = [folder for vendor in FOLDERS for folder in vendor.iterdir() if folder.is_dir()]
    assert {folder.parent for folder in folders} == set(FOLDERS)
    for folder in folders:
        lines = (folder / "SHA256SUMS").read_text().splitlines()
        sums = {name: value for value, name in (line.split("  ") for line in lines)}
        files = {file.name for file in folder.iterdir()} - {"SHA256SUMS"}
        assert files == set(sums)
        assert "LICENSE" in files
        for name, value in sums.items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == value, name
