"""The page at /schema, which works without the network: Swagger UI comes with an installed package
and is served from here."""

from importlib.resources import files
from typing import Any, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp

from services.api.answers import encode
from services.api.problems import ApiError

# Only its files are used: it is the kept package that carries a current Swagger UI.
_PACKAGE: Final = files("mkdocs_swagger_ui_tag") / "swagger-ui"

_ASSETS: Final = {
    "swagger-ui.css": (_PACKAGE / "stylesheets" / "swagger-ui.css", "text/css"),
    "swagger-ui-bundle.js": (_PACKAGE / "javascripts" / "swagger-ui-bundle.js", "text/javascript"),
    "page.js": (files("services.api") / "page" / "page.js", "text/javascript"),
}

_PAGE_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
}
_CACHED: Final = {"Cache-Control": "public, max-age=3600"}


def documentation(document: dict[str, Any]) -> list[HTTPRouteHandler]:
    """The routes that show the document to people and to programs."""
    page = (files("services.api") / "page" / "page.html").read_bytes()
    encoded = encode(document)

    @get("/", include_in_schema=False, sync_to_thread=False)
    def read_start() -> ASGIApp:
        return ASGIResponse(status_code=307, headers={"Location": "/schema"})

    @get("/schema", include_in_schema=False, sync_to_thread=False)
    def read_page() -> ASGIApp:
        return ASGIResponse(body=page, media_type="text/html", headers=dict(_PAGE_HEADERS))

    @get("/schema/openapi.json", include_in_schema=False, sync_to_thread=False)
    def read_document() -> ASGIApp:
        return ASGIResponse(body=encoded, media_type="application/json", headers={"Cache-Control": "no-cache"})

    @get("/schema/{asset:str}", include_in_schema=False, sync_to_thread=True)
    def read_asset(asset: FromPath[str]) -> ASGIApp:
        found = _ASSETS.get(asset)
        if found is None:
            raise ApiError(code="not_found")
        file, media_type = found
        return ASGIResponse(body=file.read_bytes(), media_type=media_type, headers=dict(_CACHED))

    return [read_start, read_page, read_document, read_asset]
