"""The end of the site's processes."""

from tests.programs import run_python

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
    return run_python("-c", GARBAGE.format(first_line), check=True).stdout


def test_an_ending_process_collects_no_garbage():
    assert run_to_end("") == "collected\n"  # Python's default
    assert run_to_end("import config") == ""
