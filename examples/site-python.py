"""A web site that asks whether its visitor is over 18, in Python without a package or npm. docs/examples.md says how to run it."""
import json, os, secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

PORT, SVC_TOKEN = int(os.environ.get("PORT", "8089")), os.environ.get("SVC_TOKEN", "")
SVC_URL = os.environ.get("SVC_URL", "http://127.0.0.1:8088")
ATTRIBUTE = "svc-demo.gov.idcard.over18"
REQUEST = {"@context": "https://irma.app/ld/request/disclosure/v2", "disclose": [[[ATTRIBUTE]]]}
HEADERS = {"Content-Type": "application/json", **({"Authorization": SVC_TOKEN} if SVC_TOKEN else {})}
PAGE = Path(__file__).with_name("page.html").read_bytes()
# The token of each session, by the id that its page knows. The oldest go first, so that memory has a limit.
started, MAX_STARTED = {}, 10_000

def ask(path, body=None, read=json.load):
    with urlopen(Request(SVC_URL + path, body, HEADERS), timeout=10) as answer:
        return read(answer)

def page(path):
    if path == "/": return 200, PAGE, "text/html"  # the session server serves the package of the page, from its --static-path
    return (200, ask(path, read=lambda answer: answer.read()), "text/javascript") if path == "/yivi.js" else None

def start():
    package = ask("/session", json.dumps(REQUEST).encode())
    session_id = secrets.token_urlsafe()
    started[session_id] = package.pop("token")
    while len(started) > MAX_STARTED: started.pop(next(iter(started)), None)
    return 200, {"id": session_id, **package}

def finish(session_id):
    if session_id not in started: return 404, {"error": "this session is not known here"}
    result = ask(f"/session/{started[session_id]}/result")
    if result["status"] != "DONE" or result.get("proofStatus") != "VALID":
        return 403, {"accepted": False, "status": result["status"], "proofStatus": result.get("proofStatus")}
    attribute = result["disclosed"][0][0]
    accepted = attribute["id"] == ATTRIBUTE and attribute["rawvalue"] == "yes"
    return (200 if accepted else 403), {"accepted": accepted}  # a real site writes it into its visitor's web session here

class Site(BaseHTTPRequestHandler):
    def do_GET(self): self.reply(lambda: page(self.path) or finish(self.path.removeprefix("/result/")))
    def do_POST(self): self.reply(lambda: start() if self.path == "/start" else None)

    def reply(self, answer):
        try:
            status, body, *kind = answer() or (404, {"error": "there is no such page"})
        except (OSError, ValueError) as error:
            status, body, kind = 502, {"error": f"{SVC_URL}: {error}"}, []
        self.send_response(status)
        self.send_header("Content-Type", *(kind or ["application/json"]))
        self.end_headers()
        self.wfile.write(body if kind else json.dumps(body).encode())

    log_message = lambda *_: None  # the ids in the addresses are nothing for a log

with ThreadingHTTPServer(("127.0.0.1", PORT), Site) as site:
    print(f"Open http://127.0.0.1:{PORT}/", flush=True)
    site.serve_forever()
