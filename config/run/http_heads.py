"""A limit on the head of a request, which uvicorn would read into memory whatever its size."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# Bytes of an address with all header lines. nginx takes 32 KB of them.
LARGEST_HEAD: Final = 65_536


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's HTTP protocol. It answers 400 and hangs up if a head has more than `LARGEST_HEAD` bytes.

    httptools makes no callback before a header line is complete, so the bytes read since the last callback are
    counted as well. That also limits the trailers of a chunked body.
    """

    _head = 0
    _unseen = 0

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._unseen += len(data)
        super().data_received(data)
        if self._unseen > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's head is too large.")

    def on_message_begin(self) -> None:
        self._head = self._unseen = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._unseen = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unseen = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unseen = 0
        super().on_message_complete()

    def _count(self, length: int) -> None:
        """Add to the size of the head.

        Raises ValueError if it is too large; httptools then stops and uvicorn answers 400.
        """
        self._unseen = 0
        self._head += length
        if self._head > LARGEST_HEAD:
            raise ValueError("The request's head is too large.")
