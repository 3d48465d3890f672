"""What check-viewfinder measures of the first picture: of a cold camera, of a warm one, by a slow line."""
import os, threading, urllib.request

from browsing import check
from viewfinder_browsing import Server, live, open_page, seen


def first_picture(page, server, what):
    page.add_init_script("""addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        if (!document.getElementById('loading').hidden) window.loadedAt ??= performance.now() }).observe(document.getElementById('loading'), { attributes: true }))""")
    page.goto(server.url)
    live(page, what)
    loading, first = page.evaluate("[window.loadedAt ?? null, picture.firstAt]")
    in_time(first <= 500, f"{what}: the first picture {first:.0f} ms after the page was asked for, of a cold camera (at most 500)")
    check(loading is None or loading >= 100, f"{what}: it says that it is loading {'never' if loading is None else f'after {loading:.0f} ms'}")
    check(page.evaluate("document.getElementById('loading').hidden"), f"{what}: and no longer once there is a picture")
    check(page.evaluate("location.search === ''"), f"{what}: the secret has gone from the address")


def cold_picture(browser, work, what):
    """Nobody has looked yet."""
    server = Server("simulated:1280x720@30", os.path.join(work, what))
    try:
        page = open_page(browser, server)
        first_picture(page, server, what)
        page.context.close()
    finally:
        server.end()


def warm_picture(browser, work, what):
    """A program looks already."""
    server = Server("simulated:1280x720@30", os.path.join(work, what))
    try:
        warm_pictures(browser, server, what)
    finally:
        server.end()


def warm_pictures(browser, server, what):
    """Five pages, one after another. Another page would take a processor for drawing, which no GPU does here."""
    took = []
    address, token = server.url.split("/?token=")
    looker = urllib.request.urlopen(urllib.request.Request(f"{address}/pictures.mjpeg", headers={"Authorization": f"Bearer {token}"}), timeout=20)
    threading.Thread(target=lambda: all(iter(lambda: looker.read(65536), b"")), daemon=True).start()
    for _ in range(5):
        page = open_page(browser, server)
        page.goto(server.url)
        live(page, what)
        took.append(page.evaluate("picture.firstAt"))
        page.context.close()
    in_time(sorted(took)[2] <= 300, f"{what}: the first picture of a warm camera after {', '.join(f'{time:.0f}' for time in sorted(took))} ms (at most 300, the middle one)")


def slow_line(browser, server, what):
    """The document comes in pieces: the rest of it is there later than a picture, and later than it is waited for."""
    page = open_page(browser, server)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": 100_000, "uploadThroughput": -1})
    page.goto(server.url)
    seen(page, "connection.isTold && picture.firstAt && document.querySelectorAll('#menu button').length > 5", f"{what}: by a slow line, too, the page becomes whole")
    page.context.close()


def in_time(holds, told):
    """Beside busy programs what is late is no finding."""
    if not holds and os.getloadavg()[0] > 2 * os.cpu_count():
        return print(f"      inconclusive, other programs are busy (load {os.getloadavg()[0]:.0f}): {told}")
    check(holds, told)
