"""What check-viewfinder asks of the page's secret: no other server of this host ever sees it, and it ends when somebody says so."""
import http.server, os, subprocess, threading

from browsing import PROGRAM, check
from viewfinder_browsing import Server, live, open_page, seen


class Neighbour(http.server.ThreadingHTTPServer):
    """Another server of this host, at another port, which keeps all that it is told."""

    def __init__(self):
        self.told = []
        super().__init__(("127.0.0.1", 0), Listening)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Listening(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.told.append(f"{self.requestline}\n{self.headers}")
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>neighbour</title><p>neighbour")

    do_POST = do_GET

    def log_message(self, *_):
        pass


def sessions(browser, work, what):
    neighbour = Neighbour()
    try:
        with Server("simulated:640x360@30", os.path.join(work, what)) as server:
            secret = told_to_neighbour(browser, server, neighbour, what)
            ending(browser, server, secret, what)
    finally:
        neighbour.shutdown()


def told_to_neighbour(browser, server, neighbour, what):
    address, token = server.url.split("/?token=")
    page = open_page(browser, server)
    page.goto(server.url)
    live(page, what)
    secret = page.evaluate("credential.secret")
    check(len(secret) == 32 and secret != token, f"{what}: the page has a secret of its own")
    check(page.context.cookies() == [] and page.evaluate("document.cookie === ''"), f"{what}: and no cookie")
    check(page.evaluate("location.href") == address + "/" and not page.evaluate("document.documentElement.outerHTML.includes(credential.secret)"), f"{what}: it stands neither in the address nor in the document")
    other = page.context.new_page()
    other.goto(neighbour.url + "/opened")
    other.evaluate("""async address => {
        const image = new Image(); image.src = address + '/photos/a.jpg';
        for (const path of ['/', '/session', '/schema.json', '/ticket/photos/a.jpg'])
            for (const mode of ['cors', 'no-cors']) await fetch(address + path, { mode, credentials: 'include' }).catch(() => {});
        await new Promise(done => { const socket = new WebSocket(address.replace('http', 'ws') + '/channel'); socket.onclose = socket.onopen = done; }) }""", address)
    check(other.evaluate("sessionStorage.length + localStorage.length + document.cookie.length") == 0, f"{what}: a page of another port finds none of it")
    other.goto(neighbour.url + "/again")
    # The page itself navigates to the other server.
    page.goto(neighbour.url + "/led")
    page.evaluate("url => new Promise(done => { const frame = document.createElement('iframe'); frame.onload = () => done(); frame.src = url; document.body.append(frame) })", address)
    found = [text for text in neighbour.told if token in text or secret in text or "ookie:" in text or "eferer: " + address in text]
    check(len(neighbour.told) >= 3 and not found, f"{what}: in {len(neighbour.told)} requests another server of this host was told no secret" + (f": {found[0][:300]}" if found else ""))
    page.go_back()
    live(page, what)
    check(page.evaluate("credential.secret") == secret, f"{what}: a page that comes back is let in by what its tab has kept")
    page.context.close()
    return secret


def ending(browser, server, secret, what):
    out = "credential.isOver && document.getElementById('interruption-title').textContent === 'Logged out' && picture.header === null"
    page = open_page(browser, server)
    page.goto(server.url.split("?")[0])
    seen(page, out, f"{what}: a page without a secret shows nothing, and says what to do")
    page.goto(server.url)
    live(page, what)
    check(page.evaluate("credential.secret") != secret, f"{what}: each opening has another secret")
    page.evaluate("window.former = connection.socket; former.close()")
    seen(page, "connection.socket !== former && connection.isOpen && picture.header !== null", f"{what}: a link that was lost is taken up again by itself")
    page.evaluate("connection.command('logOut', {}, { quiet: true })")
    seen(page, out, f"{what}: a page that logs out is let in no more")
    page.reload()
    seen(page, out, f"{what}: nor after it is loaded again")
    page.goto(server.url)
    live(page, what)
    environment = {**os.environ, "XDG_RUNTIME_DIR": os.path.join(server.work, "run")}
    answer = subprocess.run([PROGRAM, "remote", "logout"], capture_output=True, text=True, env=environment, timeout=30)
    check(answer.returncode == 0, f"{what}: a remote logs every page out ({answer.stdout.strip()}{answer.stderr.strip()})")
    seen(page, out, f"{what}: and the page says so")
    page.context.close()
