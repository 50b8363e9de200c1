"""The one-time link that lets a browser in."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from vitrail.server.pages import plain_page
from vitrail.server.routes.deps import RuntimeDep

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

_MAX_CODE_CHARS = 256
_SPENT = (
    "A link that `vitrail serve` prints works once, so that nobody can use it after "
    "you. Go back to the browser that opened it first, or start `vitrail serve` again "
    "(on another port, if you like) and open the link that it prints then."
)


@router.get("/enter")
async def enter(
    request: Request,
    runtime: RuntimeDep,
    code: Annotated[str, Query()] = "",
    project: Annotated[str, Query()] = "",
) -> Response:
    """Give the browser its cookie and lead it to the workspace, or a project there.

    A browser that has the cookie is led on, and the link stays unused.
    """
    access = runtime.access
    is_known = access.allows(authorization=None, cookies=request.headers.get("cookie"))
    if not is_known and not (len(code) <= _MAX_CODE_CHARS and access.redeem(code)):
        return plain_page("This link has been used", _SPENT, code="link-spent")
    # Quoted whole, a name leads nowhere but to a view of the workspace.
    view = f"/p/{quote(project, safe='')}" if project else "/"
    response = RedirectResponse(view, status_code=303)
    response.headers["Cache-Control"] = "no-store"
    is_secure = request.url.scheme == "https" or (
        runtime.settings.public_url or ""
    ).startswith("https:")
    response.headers["Set-Cookie"] = access.set_cookie(is_secure=is_secure)
    return response
