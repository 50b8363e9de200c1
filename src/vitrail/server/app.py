"""The app: routes, the web bundle, and the layers around them. It only composes.

From the outside in: proxy headers, `Problems` (what nobody expected),
`DefaultHeaders`, `Door` (who may ask), the routes, and for every other address
the web bundle.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from vitrail import __version__
from vitrail.protocol.http import Problem
from vitrail.server.headers import DefaultHeaders
from vitrail.server.logs import set_up_logs
from vitrail.server.pages import BUNDLE, AppPolicy, WebBundle
from vitrail.server.problems import Problems, install_problem_handlers
from vitrail.server.routes import api_router, page_router
from vitrail.server.runtime import Runtime
from vitrail.server.security import PREVIEW_PREFIX, Door, HostRule
from vitrail.server.settings import Settings, host_of

__all__ = ["create_app", "host_rule"]

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def create_app(runtime: Runtime) -> FastAPI:
    """Return the app of one served data folder; its lifespan is the runtime's."""
    set_up_logs()
    settings = runtime.settings

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        await runtime.start()
        try:
            yield
        finally:
            await runtime.stop()

    app = FastAPI(
        title="Vitrail",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
        middleware=[
            *_proxy_layer(settings),
            Middleware(Problems),
            Middleware(DefaultHeaders),
            Middleware(
                Door,
                hosts=host_rule(settings),
                access=runtime.access,
                address=settings.host,
            ),
        ],
        # What a request carries is nobody's business but the person's.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.runtime = runtime
    install_problem_handlers(app)
    app.include_router(api_router())
    app.include_router(page_router())
    app.mount(PREVIEW_PREFIX.rstrip("/"), runtime.previews.fallback_app)
    policy = AppPolicy(runtime.places, embed_origins=settings.embed_origins)
    # Not a mount at "/": that would match before a route's 405 is found.
    app.router.default = WebBundle(policy, directory=BUNDLE)
    _describe(app)
    return app


def host_rule(settings: Settings) -> HostRule:
    """Return which names the app answers to."""
    public = settings.public_url
    names = {*_LOOPBACK, settings.host, *settings.allowed_hosts}
    if public is not None:
        names.add(host_of(public))
    return HostRule(names=frozenset(names), public_origin=public)


def _proxy_layer(settings: Settings) -> list[Middleware]:
    if not settings.trusted_proxies:
        return []
    return [
        Middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    ]


def _operation_id(route: APIRoute) -> str:
    return route.name


def _describe(app: FastAPI) -> None:
    """Let the OpenAPI document name the problem body and the two ways to authenticate."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = made()
            parts = document.setdefault("components", {})
            parts.setdefault("schemas", {})["Problem"] = Problem.model_json_schema(
                ref_template="#/components/schemas/{model}"
            )
            parts["securitySchemes"] = {
                "token": {"type": "http", "scheme": "bearer"},
            }
            document["security"] = [{"token": []}]
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way
