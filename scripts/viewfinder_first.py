"""What check-viewfinder measures of the first picture: of a cold camera, of a warm one, by a slow line."""
import os

from browsing import check
from viewfinder_browsing import Server, in_time, live, open_page, seen, shot, watch


def cold_picture(browser, work, what, source="simulated:1280x720@30"):
    """Nobody has looked yet."""
    tried = []

    def first():
        with Server(source, os.path.join(work, f"{what}-{len(tried)}")) as server:
            page = open_page(browser, server)
            page.add_init_script("""addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
                if (!document.getElementById('loading').hidden) window.loadedAt ??= performance.now() }).observe(document.getElementById('loading'), { attributes: true }))""")
            page.goto(server.url)
            live(page, what)
            loading, took, is_hidden, search = page.evaluate("[window.loadedAt ?? null, picture.firstAt, document.getElementById('loading').hidden, location.search]")
            shot(page, what)
            page.context.close()
        if not tried:
            check(loading is None or loading >= 100, f"{what}: it says that it is loading {'never' if loading is None else f'after {loading:.0f} ms'}")
            check(is_hidden, f"{what}: and no longer once there is a picture")
            check(search == "", f"{what}: the secret has gone from the address")
        tried.append(took)
        return took

    in_time(first, 500, lambda took: f"{what}: the first picture {took:.0f} ms after the page was asked for, of a cold camera (at most 500)")


def warm_picture(browser, work, what):
    """A program looks already."""
    with Server("simulated:1280x720@30", os.path.join(work, what)) as server:
        watch(server)

        def middle():
            return sorted(warm_time(browser, server, what) for _ in range(3))[1]

        in_time(middle, 300, lambda took: f"{what}: the first picture of a warm camera after {took:.0f} ms (at most 300, the middle one of three)")


def warm_time(browser, server, what):
    page = open_page(browser, server)
    page.goto(server.url)
    live(page, what)
    took = page.evaluate("picture.firstAt")
    page.context.close()
    return took


def slow_line(browser, server, what):
    """The document comes in pieces: the rest of it is there later than a picture, and later than it is waited for."""
    page = open_page(browser, server)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": 100_000, "uploadThroughput": -1})
    page.goto(server.url)
    seen(page, "connection.isTold && picture.firstAt && document.querySelectorAll('#menu button').length > 5", f"{what}: by a slow line, too, the page becomes whole")
    page.context.close()
