"""Counts and times requests, for `/metrics`."""

import re
from time import perf_counter

from flask import Flask, Response, current_app, g, request
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""The upper ends of the classes of latency."""
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
CONVERTER = re.compile(r"<[^<>]*:")
"""The converter in a part of a route: `<int:` of `<int:id>`."""
OTHER = "other"
"""The label for names that strangers can choose freely: a path without a page, an unknown method."""

disable_created_metrics()


def measure(flask_app: Flask) -> None:
    """Count and time all requests of a Flask app. Call it before anything else looks at requests."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    requests = Counter("pbem_http_requests", "Requests.", ("route", "method", "code"), registry=registry)
    seconds = Histogram(
        "pbem_http_request_seconds",
        "Time from request to answer.",
        ("route",),
        registry=registry,
        buckets=SECONDS,
    )
    flask_app.extensions["metrics"] = registry

    def begin() -> None:
        g.begun = perf_counter()

    def end(answer: Response) -> Response:
        route = CONVERTER.sub("<", request.url_rule.rule) if request.url_rule else OTHER
        method = request.method if request.method in METHODS else OTHER
        requests.labels(route, method, answer.status_code).inc()
        seconds.labels(route).observe(perf_counter() - g.begun)
        return answer

    flask_app.before_request(begin)
    flask_app.after_request(end)


def figures_of_pages() -> bytes:
    """Return the counts and times in the text format of Prometheus."""
    return generate_latest(current_app.extensions["metrics"])
