"""People who write on pages of what is over and read them at once: is their own write there?

Each has a finished match and shows it by a link, or withdraws the link, then opens the match. What
was answered as done must be seen; what was not (a host or a database just died) says nothing.
"""

import asyncio
import re
import time
from dataclasses import dataclass, field

import requests
import urllib3

# The certificate is our own, made a moment ago.
urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)

SECONDS_BETWEEN = 2.0
_DONE = 302
_LINK = re.compile(r"/shared/[\w-]+/")


@dataclass
class Reader:
    address: str
    match: int
    session: str
    seen: int = 0
    unanswered: int = 0
    wrong: list[str] = field(default_factory=list)

    async def go_on(self, over: asyncio.Event) -> None:
        while not over.is_set():
            await asyncio.to_thread(self._write_and_read)
            await asyncio.sleep(SECONDS_BETWEEN)

    def _write_and_read(self) -> None:
        own = f"{self.address}/matches/{self.match}/"
        with requests.Session() as browser:
            # The environment's bundle of authorities would count in place of `verify`.
            browser.trust_env, browser.verify = False, False
            browser.cookies.set("sessionid", self.session)
            try:
                page = browser.get(own, timeout=10)
                token = page.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[
                    0
                ]
                act = "unshare" if _LINK.search(page.text) else "share"
                done = browser.post(
                    f"{own}{act}/", {"csrfmiddlewaretoken": token}, timeout=10,
                    headers={"Referer": own}, allow_redirects=False,
                )  # fmt: skip
                read = browser.get(own, timeout=10)
            except requests.RequestException:
                self.unanswered += 1
                return
        if done.status_code != _DONE or not read.ok or not token:
            self.unanswered += 1
            return
        self.seen += 1
        if bool(_LINK.search(read.text)) != (act == "share"):
            self.wrong.append(f"match {self.match}: {act} at {time.strftime('%X')} is not seen")
