"""What check-viewfinder opens: a viewfinder with folders of its own, and its page in a headless Chromium."""
import base64, contextlib, hashlib, json, os, re, signal, subprocess, threading, time, urllib.request

from browsing import PROGRAM, ROOT, check, excused

# Milliseconds for which something is awaited, also beside busy programs; quietly everything comes in a small part of it.
WAIT = 20_000
# The share of one processor that other programs may take while something is timed.
BUSY = 0.3


def document():
    """The page of the working tree, joined as PageDocument.swift joins it."""
    room = os.path.join(ROOT, "Sources/Viewfinder/ViewfinderPage")
    part = lambda name: open(os.path.join(room, "Parts", name)).read()
    code = open(os.path.join(room, "PageDocument.swift")).read()
    first, later = (re.findall(r"PackageResources\.(\w+)_js\b", names) for names in code.split("static let later", 1))
    text = code.split('"""')[1].replace("\n    ", "\n").replace(r"\(style)", style(part)).replace(r"\(script)", script(part, first)).replace(r"\(rest)", script(part, later)).replace(r"\(firstTag)", '<script id="first" type="text/plain">')
    return re.sub(r"\\\(String\(decoding: PackageResources.page_html.*?\)\)", lambda _: part("page.html"), text)


def style(part):
    return "\n" + "\n".join(part(f"{name}.css") for name in ("page", "gallery"))


def script(part, names):
    lines = (line.lstrip(" ") for name in names for line in part(f"{name.replace('_', '-')}.js").split("\n"))
    return '\n"use strict";\n' + "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


class Server:
    """The viewfinder with folders and settings of its own; `options` are added to its arguments, `more` to its environment. Without a source it chooses one."""

    running = set()
    program = PROGRAM

    def __init__(self, source, work, port="0", options=(), **more):
        self.source, self.work, self.options, self.more = source, work, options, more
        for name in ("config", "run", "films", "photos"):
            os.makedirs(os.path.join(work, name), mode=0o700, exist_ok=True)
        self.photos = os.path.join(work, "photos")
        environment = {**os.environ, "XDG_CONFIG_HOME": os.path.join(work, "config"), "XDG_RUNTIME_DIR": os.path.join(work, "run"), **more}
        self.said = open(os.path.join(work, "said"), "w+")
        self.process = subprocess.Popen(
            [self.program, "view", "--serve", port, *(["--source", source] if source else []), "--token-file", os.path.join(work, "token"), "--recordings", os.path.join(work, "films"), "--photos", self.photos, "--json", *options],
            stdout=subprocess.PIPE, stderr=self.said, text=True, env=environment, cwd=ROOT)
        self.running.add(self)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def begin_again(self):
        """The same viewfinder at the same address."""
        self.__init__(self.source, self.work, re.search(r":(\d+)/", self.url)[1], self.options, **self.more)

    def end(self):
        self.running.discard(self)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self in self.running:
            self.end()


def watch(server):
    """Has another client look, until the server ends. Another page would take a processor for drawing, which no GPU does here."""
    address, token = server.url.split("/?token=")
    watcher = urllib.request.urlopen(urllib.request.Request(f"{address}/pictures.mjpeg", headers={"Authorization": f"Bearer {token}"}), timeout=20)
    watcher.read(65536)
    threading.Thread(target=lambda: all(iter(lambda: watcher.read(65536), b"")), daemon=True).start()


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
    check(comes_true(page, expression, argument), what)


def await_true(page, expression, argument=None):
    """What must come true before the next step."""
    from playwright.sync_api import Error

    if not comes_true(page, expression, argument):
        raise Error(f"waited in vain for {expression[:200]}")


def comes_true(page, expression, argument=None):
    return comes(page, lambda: page.evaluate(expression, argument))


def comes(page, holds):
    """Whether something comes true that is asked here."""
    until = time.monotonic() + WAIT / 1000
    while not holds():
        if time.monotonic() > until:
            return False
        page.wait_for_timeout(20)
    return True


def settled(page):
    """Waits until the page is laid out, and its movements are over."""
    page.evaluate("""async () => { const frame = () => new Promise(requestAnimationFrame); await frame(); await frame()
        await Promise.all(document.getAnimations().filter(({ playState }) => playState === 'running').map(({ finished }) => finished.catch(() => {}))); await frame() }""")


def live(page, what):
    if not comes_true(page, "picture.firstAt && connection.isTold && connection.isOpen && connection.state.session.state === 'running'"):
        check(False, f"{what}: there is a picture")


def shown_at(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    settled(page)


# What is promised in milliseconds.


def in_time(measure, most, told):
    """Measures up to three times until it took `most` milliseconds at most. If another program took a processor meanwhile, what is late is no finding, but counted.

    `measure` returns milliseconds, or None for never; `told` makes the sentence of them.
    """
    best = None
    for _ in range(3):
        began, others = time.monotonic(), used_by_others()
        took = measure()
        share = (used_by_others() - others) / (time.monotonic() - began)
        if took is not None and (best is None or took < best[0]):
            best = took, share
        if took is not None and took <= most:
            break
    if best is None or best[0] <= most or best[1] <= BUSY:
        return check(best is not None and best[0] <= most, told(float("inf") if best is None else best[0]))
    excused.append(told(best[0]))
    print(f"      inconclusive, other programs took {best[1]:.0%} of a processor: {told(best[0])}", flush=True)


def used_by_others():
    """Seconds of processors that programs have used which this one has not started."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    parents, used = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
            parents[int(name)], used[int(name)] = int(fields[1]), sum(map(int, fields[11:15]))
    own, found = 0, [os.getpid()]
    while found:
        process = found.pop()
        own += used.get(process, 0)
        found += [child for child, parent in parents.items() if parent == process]
    return (user + nice + system + irq + softirq + steal - own) / os.sysconf("SC_CLK_TCK")
