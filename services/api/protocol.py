"""HTTP as uvicorn speaks it, but for the answer to bytes that are no HTTP: that one is a problem too."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from services.api.failures import problem_answer
from services.api.problems import ApiError


class HttpProtocol(HttpToolsProtocol):
    """To be given to uvicorn as `http`."""

    def send_400_response(self, msg: str) -> None:
        """Says what is wrong and hangs up: after such bytes nothing on this connection makes sense."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.response_started and not cycle.response_complete:
            # Half an answer is under way; more bytes would be taken for the rest of it.
            self.transport.close()
            return
        answer = problem_answer(ApiError(code="malformed", detail=msg))
        lines = [b"HTTP/1.1 400 Bad Request", *(b": ".join(header) for header in answer.encode_headers()), _CLOSE]
        self.transport.write(b"\r\n".join(lines) + b"\r\n\r\n" + answer.body)
        self.transport.close()


_CLOSE: Final = b"connection: close"
