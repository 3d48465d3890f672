"""What check-viewfinder opens: a viewfinder with folders of its own, and its page in a headless Chromium."""
import base64, hashlib, json, os, re, signal, subprocess, time

from browsing import PROGRAM, ROOT, check

WAIT = 8_000


def document():
    """The page of the working tree, joined as PageDocument.swift joins it."""
    room = os.path.join(ROOT, "Sources/Viewfinder/ViewfinderPage")
    part = lambda name: open(os.path.join(room, "Parts", name)).read()
    code = open(os.path.join(room, "PageDocument.swift")).read()
    first, later = (re.findall(r"PackageResources\.(\w+)_js", names) for names in code.split("static let later", 1))
    text = code.split('"""')[1].replace("\n    ", "\n").replace(r"\(style)", style(part)).replace(r"\(script)", script(part, first)).replace(r"\(rest)", script(part, later)).replace(r"\(firstTag)", '<script id="first" type="text/plain">')
    return re.sub(r"\\\(String\(decoding: PackageResources.page_html.*?\)\)", lambda _: part("page.html"), text)


def style(part):
    return "\n" + "\n".join(part(f"{name}.css") for name in ("page", "gallery"))


def script(part, names):
    lines = (line.lstrip(" ") for name in names for line in part(f"{name.replace('_', '-')}.js").split("\n"))
    return '\n"use strict";\n' + "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


class Server:
    """The viewfinder with folders and settings of its own; `more` is added to its environment. Without a source it chooses one."""

    def __init__(self, source, work, port="0", **more):
        self.source, self.work, self.more = source, work, more
        for name in ("config", "run", "films", "photos"):
            os.makedirs(os.path.join(work, name), mode=0o700, exist_ok=True)
        self.photos = os.path.join(work, "photos")
        environment = {**os.environ, "XDG_CONFIG_HOME": os.path.join(work, "config"), "XDG_RUNTIME_DIR": os.path.join(work, "run"), **more}
        self.said = open(os.path.join(work, "said"), "w+")
        self.process = subprocess.Popen(
            [PROGRAM, "view", "--serve", port, *(["--source", source] if source else []), "--token-file", os.path.join(work, "token"), "--recordings", os.path.join(work, "films"), "--photos", self.photos, "--json"],
            stdout=subprocess.PIPE, stderr=self.said, text=True, env=environment, cwd=ROOT)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def begin_again(self):
        """The same viewfinder at the same address."""
        self.__init__(self.source, self.work, re.search(r":(\d+)/", self.url)[1], **self.more)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)


def open_page(browser, server, width=1440, height=900, **more):
    context = browser.new_context(viewport={"width": width, "height": height}, **more)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    if os.environ.get("PARTS"):
        text = document()
        page.route(re.compile(r"/\?token=|/$"), lambda route: fulfilled(route, text))
    return page


def fulfilled(route, text):
    """The parts of the working tree in place of those of the program, by a policy that allows them as its own allows its own."""
    answer = route.fetch()
    # The page's credential and the first picture.
    given = re.search('<script id="first" type="text/plain">(.*?)</script>', answer.text(), re.S)
    text = text.replace('<script id="first" type="text/plain">', f'<script id="first" type="text/plain">{given[1]}', 1)
    headers = dict(answer.headers)
    for tag in ("script", "style"):
        digests = [base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode() for inner in re.findall(f"<{tag}[^>]*>(.*?)</{tag}>", text, re.S)]
        sources = " ".join(f"'sha256-{digest}'" for digest in digests)
        headers["content-security-policy"] = re.sub(f"{tag}-src [^;]*", f"{tag}-src {sources}", headers["content-security-policy"])
    route.fulfill(response=answer, headers=headers, body=text)


def shot(page, name):
    if os.environ.get("KEEP"):
        page.screenshot(path=os.path.join(os.environ["KEEP"], f"viewfinder-{name}.png"), caret="initial")


def seen(page, expression, what, argument=None):
    """Whether something comes true in a while. Asked from here, because the page's policy lets nobody make code of a text."""
    check(await_true(page, expression, argument), what)


def await_true(page, expression, argument=None):
    until = time.monotonic() + WAIT / 1000
    while True:
        if page.evaluate(expression, argument):
            return True
        if time.monotonic() > until:
            return False
        page.wait_for_timeout(20)


def live(page, what):
    if not await_true(page, "picture.firstAt && connection.isTold && connection.isOpen && connection.state.session.state === 'running'"):
        check(False, f"{what}: there is a picture")
