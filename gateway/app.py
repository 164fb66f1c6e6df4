"""The HTTP application: operations from the table, pages beside them."""

from aiohttp import web

from gateway.http.endpoints import Endpoint, Face
from gateway.http.pages import Figures, Report, add_pages
from gateway.operations import OPERATIONS


def build_app(face: Face, report: Report, figures: Figures) -> web.Application:
    """Compose the routes. There is no middleware: each endpoint is its own error border."""
    app = web.Application()
    for operation in OPERATIONS:
        app.router.add_post(operation.path, Endpoint(operation, face).__call__)
    add_pages(app, report, figures)
    return app
