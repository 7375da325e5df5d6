"""JSON as it is stored and sent: without spaces, and with one encoder made once."""

import json
from typing import Final

encode: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
