"""The page at /verify as it is served: one file, a policy that lets it reach nothing, and the keys in it."""

import base64
import hashlib
import json
import re

from services.api.verifier import NO_KEYS, verifier_page
from tests.services.api.application import World

KEYS = json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "</script><script>", "x": "<!--"}]}).encode()


def inline(page: str, element: str) -> str:
    """What stands in the only element of that kind that is written without an attribute."""
    (found,) = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
    assert isinstance(found, str)
    return found


def source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


async def test_anybody_may_read_the_page(world: World) -> None:
    response = await world.http.get("/verify")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    assert response.headers["cache-control"] == "no-cache"
    assert response.content == verifier_page(NO_KEYS).body


async def test_the_policy_allows_this_script_and_this_style_and_nothing_else(world: World) -> None:
    response = await world.http.get("/verify")
    policy = dict(part.split(" ", 1) for part in response.headers["content-security-policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "script-src": source(inline(response.text, "script")),
        "style-src": source(inline(response.text, "style")),
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


async def test_a_saved_copy_keeps_the_policy(world: World) -> None:
    response = await world.http.get("/verify")
    (kept,) = re.findall('<meta http-equiv="Content-Security-Policy" content="([^"]*)">', response.text)
    assert f"{kept}; frame-ancestors 'none'" == response.headers["content-security-policy"]
    # In front of all that it is about.
    assert response.text.index("http-equiv") < response.text.index("<style>")


async def test_nothing_in_the_page_is_loaded_from_anywhere(world: World) -> None:
    page = (await world.http.get("/verify")).text
    assert re.findall(r"\bsrc=|<link|@import|\burl\(|<iframe|<img|https?://(?!localhost)", page) == []
    # A link to the page itself is all that there is.
    assert re.findall('href="([^"]*)"', page) == [""]


def test_the_keys_stand_in_the_page_and_cannot_end_their_element() -> None:
    page = verifier_page(KEYS).body.decode()
    (block,) = re.findall('<script type="application/json" id="keys">(.*?)</script>', page, re.DOTALL)
    assert json.loads(block) == json.loads(KEYS)
    assert page.count("</script>") == 2
    assert verifier_page(KEYS).policy == verifier_page(NO_KEYS).policy
