"""The page at /verify, which re-checks an exported game in the browser of whoever doubts it. It is one file that loads
nothing, so a saved copy goes on working, and its policy allows no connection: what is checked leaves no machine."""

import hashlib
from base64 import b64encode
from importlib.resources import files
from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp
from msgspec import Struct

_FOLDER: Final = files("services.api") / "page" / "verify"

# One script, in parts that each hold one idea. Which comes first matters only for what is run at once, at the end.
_LOGIC: Final = (
    "shapes.js",
    "reading.js",
    "sealing.js",
    "shuffling.js",
    "editions.js",
    "table.js",
    "ending.js",
    "following.js",
    "verify.js",
)
_SCREEN: Final = "screen.js"

NO_KEYS: Final = b'{"keys":[]}'


class Page(Struct, frozen=True):
    """The page with the keys that are known to whoever serves it, and the policy to be sent with it."""

    body: bytes
    policy: str


def verifier_page(keys: bytes) -> Page:
    """`keys`: a JWKS. The policy stands in the page as well, so that a saved copy keeps to it."""
    style = _text("style.css")
    script = "\n".join([logic(), _text(_SCREEN)])
    policy = (
        f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    # Within a script element nothing is markup but what begins with this sign.
    shown = keys.decode().replace("<", "\\u003c")
    page = (
        _text("page.html")
        .replace("<!-- policy -->", f'<meta http-equiv="Content-Security-Policy" content="{policy}">')
        .replace("<!-- style -->", style)
        .replace('{"keys":[]}', shown)
        .replace("<!-- script -->", script)
    )
    # Who may frame the page is for its server to say: in a page itself that is not heard.
    return Page(page.encode(), f"{policy}; frame-ancestors 'none'")


def logic() -> str:
    """The script without the part that shows what it has found: it needs no page, and defines `verify`."""
    return "\n".join(map(_text, _LOGIC))


def verifier(keys: bytes) -> HTTPRouteHandler:
    """The route that shows the page; `keys` as there."""
    page = verifier_page(keys)
    headers = {"Content-Security-Policy": page.policy, "Cache-Control": "no-cache"}

    @get("/verify", include_in_schema=False, sync_to_thread=False)
    def read_verifier() -> ASGIApp:
        return ASGIResponse(body=page.body, media_type="text/html", headers=dict(headers))

    return read_verifier


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _source(inline: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
