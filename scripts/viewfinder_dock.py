"""What check-viewfinder tries on a simulated camera with motors: what one holds down ends with its release, its page and its process."""
import os, signal, subprocess, time

from browsing import PROGRAM, ROOT, check
from viewfinder_browsing import Server, await_true, live, open_page, seen, shot

# The limit, in milliseconds, from the release of the pad until another client sees the motors stopped. The page repeats a motion every 100 ms and the
# dead-man stop waits 250 ms, so a stop by the dead-man stop alone comes at least 150 ms after the release.
STOP_LIMIT = 120
SPEED = "Math.abs(connection.state?.dock?.motion?.pan ?? 0)"


def docking(browser, work):
    what, server = "dock", Server("simulated:640x360@30?dock=absolute", os.path.join(work, "dock"))
    watcher, mover = open_page(browser, server), open_page(browser, server)
    for page in (watcher, mover):
        page.goto(server.url)
        live(page, what)
    watcher.evaluate("() => { window.rests = []; connection.onState(state => { if (state?.dock?.motion?.pan === 0) rests.push(Date.now()) }) }")
    mover.keyboard.press("d")
    check("connected" in mover.locator("#panel-body").inner_text(), f"{what}: a camera with motors is a dock")
    mover.get_by_role("button", name="Manual").click()
    hold(mover, watcher, what)
    stopped(watcher, lambda: mover.mouse.up(), f"{what}: a key that is released")
    hold(mover, watcher, what)
    stopped(watcher, mover.context.close, f"{what}: a page that is closed")
    remote = subprocess.Popen(
        [PROGRAM, "remote", "dock", "move", "0.3", "0", "--seconds", "20"], cwd=ROOT, stdout=subprocess.DEVNULL,
        env={**os.environ, "XDG_RUNTIME_DIR": os.path.join(server.work, "run")})
    seen(watcher, f"{SPEED} > 0.1", f"{what}: a remote turns it")
    stopped(watcher, lambda: remote.send_signal(signal.SIGKILL), f"{what}: a remote that is killed")
    remote.wait()
    following(watcher, what)
    watcher.context.close()
    server.end()


def hold(page, watcher, what):
    button = page.locator("#pad button[aria-label=right]")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    seen(watcher, f"{SPEED} > 0.1", f"{what}: the pad turns it while it is held")


def stopped(watcher, act, what):
    """Beside busy programs a stop that comes late is told and not judged: it may be theirs."""
    watcher.evaluate("() => { window.rests = [] }")
    began = time.time() * 1000
    act()
    if not await_true(watcher, "rests.length > 0"):
        return check(False, f"{what} stops the motion")
    took = watcher.evaluate("rests[0]") - began
    told = f"{what} stops the motion, another page is told {took:.0f} ms later (at most {STOP_LIMIT})"
    if took > STOP_LIMIT and os.getloadavg()[0] > 2 * os.cpu_count():
        print(f"      inconclusive, other programs are busy (load {os.getloadavg()[0]:.0f}): {told}")
    else:
        check(took <= STOP_LIMIT, told)


def following(page, what):
    page.keyboard.press("d")
    page.get_by_label("Tracking").click()
    page.get_by_role("button", name="System").click()
    seen(page, "connection.state.dock.status === 'tracking' && document.querySelector('[data-mark=subject]') !== null", f"{what}: the most salient subject is followed, and drawn")
    shot(page, "dock-following")
    page.get_by_role("button", name="Manual").click()
    seen(page, f"connection.state.dock.status === 'connected' && {SPEED} === 0", f"{what}: another mode stops it")
