"""Schemathesis calls endpoints of sessions and users: this gives it ones that are there. Where a part of a call is meant to be wrong, it is left as it is."""

import json
import os
import urllib.request

import schemathesis

BASE = os.environ["API_URL"]
PREFIX = os.environ["API_PREFIX"]
PARTS = json.loads(os.environ["API_PARTS"])


def ask(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, method=method)
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        request.add_header(name, value)
    with urllib.request.urlopen(request) as answer:
        text = answer.read().decode()
    return json.loads(text) if text else None


LOGIN = {}


def login():
    """The header of a user who has logged in to a keyshare server."""
    if not LOGIN:
        LOGIN["Authorization"] = ask("POST", "/users/verify/pin", PARTS["user"])["message"]
    return LOGIN


def new_session(path):
    """A session in the status in which this endpoint is called."""
    if "user" in PARTS:
        pointer = ask("GET", "/users/renewKeyshareAttribute", None, login())
        app = PREFIX + "/session/" + pointer["u"].split("/")[-1]
        if path.endswith("statusevents"):
            ask("DELETE", app)
        return {"clientToken": app.split("/")[-1]}, {}
    kind = "issuing" if path.endswith("/commitments") else "disclosing"
    package = ask("POST", "/session", PARTS[kind])
    app = PREFIX + "/session/" + package["sessionPtr"]["u"].split("/")[-1]
    frontend = {"Authorization": package["frontendRequest"]["authorization"]}
    if path.endswith("statusevents"):  # a stream would not end
        ask("DELETE", app)
    elif path.endswith(("/request", "/pairingcompleted")):
        ask("POST", app + "/frontend/options", PARTS["pairing"], frontend)
        ask("GET", app, None, PARTS["versions"])
    elif path.endswith(("/proofs", "/commitments")):
        ask("GET", app, None, PARTS["versions"])
    if path.endswith("/request"):
        ask("POST", app + "/frontend/pairingcompleted", None, frontend)
    return {"requestorToken": package["token"], "clientToken": app.split("/")[-1]}, frontend


def is_negative(case, part):
    component = (case.meta.components if case.meta else {}).get(part)
    return component is not None and component.mode.is_negative


@schemathesis.hook
def before_call(context, case, kwargs):
    from schemathesis.core.parameters import ParameterLocation

    path = case.operation.path
    if "/prove/" in path or path.endswith("renewKeyshareAttribute"):
        case.headers.update(login())
    names = [name for name in ("requestorToken", "clientToken") if name in (case.path_parameters or {})]
    if not names or case.method == "POST" and path.endswith("{clientToken}"):
        return
    if is_negative(case, ParameterLocation.PATH):
        return
    tokens, frontend = new_session(path)
    for name in names:
        case.path_parameters[name] = tokens[name]
    if "/frontend" in path and not is_negative(case, ParameterLocation.HEADER):
        case.headers.update(frontend)
