"""The pictures of the page for docs/viewfinder-page.md, which `KEEP=docs/images/viewfinder scripts/check-viewfinder pictures` takes anew."""
import os

from browsing import attempt
from viewfinder_browsing import Server, await_true, live, open_page, settled, shown_at
from viewfinder_states import Channel

PHONE, SIDEWAYS, DESK = (375, 667), (667, 375), (1440, 900)

# Stops with the next picture on which several spines are told.
STOPS_READ = """() => new Promise(done => { let isDone = false; picture.onDrawn(header => { if (isDone || !header || document.querySelectorAll('[data-mark=words]').length < 6) return; isDone = true
    picture.receive = () => {}; picture.socket.onmessage = null; connection.show = () => {}; done() }) })"""
GOES_ON = "delete picture.receive; delete connection.show; picture.close(); picture.open()"


def pictures(browser, work, what):
    if not os.environ.get("KEEP"):
        return
    for look, source, options in ((shelves, "corpus:shelf-pan?loop=1", ("--scan", "--library", os.path.join(work, "library"))), (controls, "sensor:640x360@30", ()), (states, "corpus:shelf-pan?loop=1", ())):
        with Server(source, os.path.join(work, look.__name__), options=options) as server:
            page = open_page(browser, server, *PHONE)
            if look is not states:
                page.goto(server.url)
                live(page, what)
            attempt(look, page, server, what)
            page.context.close()


def kept(page, name):
    settled(page)
    page.screenshot(path=os.path.join(os.environ["KEEP"], f"{name}.jpg"), type="jpeg", quality=72)


def shelves(page, server, what):
    """Spines that are read while the camera pans along them."""
    for size, name in ((PHONE, "phone-shelf"), (DESK, "desk-shelf")):
        shown_at(page, *size)
        page.evaluate(STOPS_READ)
        kept(page, name)
        if size == PHONE:
            page.mouse.click(*page.evaluate("middleOf(marks.spines.find(({ spine }) => spine.certainty === 'sure').points)"))
            kept(page, "phone-spine")
            page.evaluate("panels.close(); marks.choose(null)")
        page.evaluate(GOES_ON)


def controls(page, server, what):
    page.locator("[data-panel=bias]").click()
    page.evaluate("wheel.step(7)")
    await_true(page, "!wheel.wheel.isActive && connection.state.exposure.bias.value > 0.6")
    kept(page, "phone-wheel")
    page.evaluate("wheel.reset()")
    shown_at(page, *SIDEWAYS)
    page.locator("[data-panel=format]").click()
    kept(page, "phone-sideways")
    shown_at(page, *DESK)
    page.locator("[data-panel=exposure]").click()
    page.evaluate("connection.command('setOverlay', { visible: true }); connection.command('startRecording')")
    await_true(page, "!document.getElementById('overlay').hidden && connection.state.isRecording && document.getElementById('timecode').textContent > '00:00:01'")
    kept(page, "desk-recording")
    page.evaluate("panels.close(); connection.command('stopRecording')")


def states(page, server, what):
    """A channel that is played says what no camera here says."""
    page.goto(server.url)
    live(page, what)
    page.evaluate("connection.command('takePhoto')")
    await_true(page, "gallery.photos.length === 1")
    page.locator("#last-photo").click()
    await_true(page, "document.querySelector('#gallery-view img')?.naturalWidth > 0")
    kept(page, "phone-gallery")
    shown_at(page, *DESK)
    page.get_by_role("button", name="About it").click()
    await_true(page, "document.querySelectorAll('#gallery-facts dd').length > 20")
    kept(page, "desk-gallery")
    state = page.evaluate("connection.state")
    state["spines"] = {"isReading": True, "items": [], "orientation": 0, "time": None}
    state["queue"] = {"pending": 3, "uploaded": 9, "failed": 0, "offline": False, "limitedUntil": page.evaluate("Date.now() / 1000 + 12")}
    state["library"] = {"books": 128, "newest": [{"id": "1", "title": "Jane Eyre", "author": "Charlotte Brontë", "certainty": "sure"}, {"id": "2", "title": "The Idiot", "author": "Fyodor Dostoevsky", "certainty": "doubtful"}]}
    channel = Channel(page, state)
    page.goto(server.url)
    live(page, what)
    channel.listen()
    shown_at(page, *PHONE)
    page.locator("[data-panel=shelf]").click()
    kept(page, "phone-queue")
    page.evaluate("panels.close()")
    shown_at(page, *SIDEWAYS)
    channel.change(session={**state["session"], "state": "failed", "reason": "permissionDenied", "severity": "warning", "message": "This user may not open /dev/video0.", "remedy": "Add this user to the group video, and log in again."},
                   queue={**state["queue"], "pending": 0, "limitedUntil": None}, photos={**state["photos"], "isShutterEnabled": False, "reason": "the camera failed"})
    kept(page, "phone-refused")
