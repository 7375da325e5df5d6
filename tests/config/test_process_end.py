"""The end of any process of the site."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GARBAGE = """
{}
class Garbage:
    def __init__(self):
        self.itself = self
    def __del__(self):
        print("collected")
Garbage()
"""


def run_to_end(first_line: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", GARBAGE.format(first_line)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return finished.stdout


def test_a_process_that_ends_does_not_search_its_memory_for_garbage():
    assert run_to_end("") == "collected\n"  # as Python does
    assert run_to_end("import config") == ""
