"""What check-viewfinder tries on a simulated camera with motors: what one holds down ends with its release, its page and its process."""
import os, signal, subprocess, time

from browsing import PROGRAM, ROOT, check
from viewfinder_browsing import Server, await_true, comes_true, in_time, live, open_page, seen, shot

# The limit, in milliseconds, from the release of the pad until another client sees the motors stopped. The page repeats a motion every 100 ms and the
# dead-man stop waits 250 ms, so a stop by the dead-man stop alone comes at least 150 ms after the release.
STOP_LIMIT = 120
SPEED = "Math.abs(connection.state?.dock?.motion?.pan ?? 0)"


def docking(browser, work, what):
    with Server("simulated:640x360@30?dock=absolute", os.path.join(work, what)) as server:
        watcher, mover = opened(browser, server, what), opened(browser, server, what)
        watcher.evaluate("() => { window.rests = []; connection.onState(state => { if (state?.dock?.motion?.pan === 0) rests.push(Date.now()) }) }")
        mover.keyboard.press("d")
        check("connected" in mover.locator("#panel-body").inner_text(), f"{what}: a camera with motors is a dock")
        stopped(watcher, lambda: hold(mover, watcher), lambda _: mover.mouse.up(), f"{what}: a key that is released")
        mover.context.close()
        stopped(watcher, lambda: other_page(browser, server, watcher, what), lambda page: page.context.close(), f"{what}: a page that is closed")
        stopped(watcher, lambda: remote(server, watcher), lambda process: process.send_signal(signal.SIGKILL), f"{what}: a remote that is killed")
        following(watcher, what)
        watcher.context.close()


def opened(browser, server, what):
    page = open_page(browser, server)
    page.goto(server.url)
    live(page, what)
    return page


def other_page(browser, server, watcher, what):
    page = opened(browser, server, what)
    page.keyboard.press("d")
    hold(page, watcher)
    return page


def remote(server, watcher):
    process = subprocess.Popen(
        [PROGRAM, "remote", "dock", "move", "0.3", "0", "--seconds", "20"], cwd=ROOT, stdout=subprocess.DEVNULL,
        env={**os.environ, "XDG_RUNTIME_DIR": os.path.join(server.work, "run")})
    await_true(watcher, f"{SPEED} > 0.1")
    return process


def hold(page, watcher):
    page.get_by_role("button", name="Manual").click()
    button = page.locator("#pad button[aria-label=right]")
    await_true(page, "connection.state.dock.mode === 'manual' && !document.querySelector('#pad button[aria-label=right]').disabled")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    await_true(watcher, f"{SPEED} > 0.1")


def stopped(watcher, begin, end, what):
    """Something turns the dock, and ends."""
    def took():
        mover = begin()
        watcher.evaluate("() => { window.rests = [] }")
        began = time.time() * 1000
        end(mover)
        if isinstance(mover, subprocess.Popen):
            mover.wait()
        return watcher.evaluate("rests[0]") - began if comes_true(watcher, "rests.length > 0") else None

    in_time(took, STOP_LIMIT, lambda took: f"{what} stops the motion, another page is told {took:.0f} ms later (at most {STOP_LIMIT})")


def following(page, what):
    page.keyboard.press("d")
    page.get_by_label("Tracking").click()
    page.get_by_role("button", name="System").click()
    seen(page, "connection.state.dock.status === 'tracking' && document.querySelector('[data-mark=subject]') !== null", f"{what}: the most salient subject is followed, and drawn")
    shot(page, "dock-following")
    page.get_by_role("button", name="Manual").click()
    seen(page, f"connection.state.dock.status === 'connected' && {SPEED} === 0", f"{what}: another mode stops it")
