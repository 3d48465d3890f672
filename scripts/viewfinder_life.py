"""What check-viewfinder tries of the page's life on a phone: it sleeps and wakes, its server goes and comes back."""
import os, signal

from browsing import attempt, check
from viewfinder_browsing import Server, await_true, in_time, live, open_page, seen, settled, shot

GONE = "!connection.isOpen && document.getElementById('interruption-title').textContent === 'No connection' && document.getElementById('interruption').checkVisibility() && picture.header === null"
BACK = "connection.isOpen && picture.header !== null && !document.getElementById('interruption').checkVisibility()"


def life(browser, work, what):
    with Server("simulated:640x360@30", os.path.join(work, what)) as server:
        for look in (sleeping, unreachable, entering):
            page = open_page(browser, server, 375, 667)
            page.goto(server.url)
            live(page, what)
            attempt(look, page, server, what)
            page.context.close()


def sleeping(page, server, what):
    """A phone that sleeps ends nothing: its connections just carry nothing any more. The program is stopped in the phone's place."""
    def notice():
        server.process.send_signal(signal.SIGSTOP)
        try:
            return page.evaluate("""() => new Promise(done => { const from = performance.now(); dispatchEvent(new Event('focus'))
                const go = () => connection.isOpen ? performance.now() - from > 6000 ? done(9999) : setTimeout(go, 10) : done(performance.now() - from); go() })""")
        finally:
            server.process.send_signal(signal.SIGCONT)
            await_true(page, BACK)

    in_time(notice, 2000, lambda took: f"{what}: a page that is seen again notices a dead connection after {took:.0f} ms (at most 2000)")
    seen(page, BACK, f"{what}: and has a new one, and a picture, by itself")
    # While it waits to try again, being seen again makes it try at once.
    page.evaluate("connection.retry = 60000; connection.socket.close()")
    await_true(page, "connection.openTimer")
    page.evaluate("dispatchEvent(new Event('online'))")
    seen(page, BACK, f"{what}: it does not wait when the network is back")
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.isAway === true, configurable: true }); window.isAway = true; document.dispatchEvent(new Event('visibilitychange'))")
    await_true(page, "connection.state.session.state === 'paused'")
    page.evaluate("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    seen(page, "picture.header !== null && connection.state.session.state === 'running'", f"{what}: after a while in a pocket the picture is there")


def unreachable(page, server, what):
    """A network that swallows everything, even the question whether the page is still admitted."""
    page.evaluate("() => { const own = window.fetch; window.fetch = (address, { signal } = {}) => window.isLost ? new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason))) : own(address, { ...arguments[1], signal }) }")
    page.context.set_offline(True)
    page.evaluate("window.isLost = true; connection.drop()")
    seen(page, GONE, f"{what}: a server that is gone is told")
    settled(page)
    shot(page, f"{what}-gone")
    check(page.locator("#shutter").is_disabled(), f"{what}: and nothing can be taken")
    page.context.set_offline(False)
    page.evaluate("window.isLost = false")
    seen(page, BACK, f"{what}: the page comes back by itself when it is reachable, though its question was never answered")


def entering(page, server, what):
    """An installed page has no address line: it takes the token, or the printed address."""
    page.evaluate("connection.command('logOut', {}, { quiet: true })")
    seen(page, "document.getElementById('entry').checkVisibility()", f"{what}: a page that is not admitted asks for the token")
    shot(page, f"{what}-entry")
    field = page.get_by_label("Token, or the address that was printed")
    field.fill("wrong-token-0123456789")
    field.press("Enter")
    seen(page, "document.getElementById('notice').textContent === 'This is not the token of this viewfinder.'", f"{what}: says of a wrong one that it is wrong")
    field.fill(server.url)
    with page.expect_navigation():
        page.get_by_role("button", name="Open", exact=True).click()
    live(page, what)
    seen(page, BACK, f"{what}: and opens with the right one")
    check(page.evaluate("location.search === ''"), f"{what}: which does not stay in the address")
