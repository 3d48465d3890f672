"""What check-viewfinder tries on a USB camera of the device lab: `swiftwing view --serve --listen` runs there, by TLS, on the kernel's own uvcvideo.

Its pictures come from a processor that is emulated, so nothing is timed here.
"""
import json, os, queue, signal, socket, subprocess, threading, time

from browsing import PROGRAM, ROOT, attempt, axe, check, listen
from viewfinder_browsing import await_true, comes_true, live, open_page, seen, shot, shown_at

# A program in the lab has no input, so its commands arrive in a file of the shared folder.
GUEST = r"""
orders=$1
shift
"$@" --buttons "$(lab-ctl buttons node)" & server=$!
trap 'kill -INT $server; wait $server; exit' INT TERM
while kill -0 $server 2>/dev/null; do
  if [ -s "$orders/order" ]; then
    mv "$orders/order" "$orders/taken"
    lab-ctl $(cat "$orders/taken") >"$orders/said" 2>&1 || echo failed >>"$orders/said"
    mv "$orders/said" "$orders/done"
  fi
  sleep 0.2
done
"""


class Lab:
    """A viewfinder in the lab, and its camera, which can be unplugged."""

    def __init__(self, work):
        self.photos, films = (os.path.join(work, name) for name in ("photos", "films"))
        for folder in (work, self.photos, films):
            os.makedirs(folder, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        self.work = work
        self.process = subprocess.Popen(
            ["lab/run", "--camera", "uvc", "--buttons", "--forward", port, "--share", work, "--timeout", "600", "--memory", "1536", "--", "bash", "-c", GUEST, "guest", work,
             PROGRAM, "view", "--serve", port, "--listen", "10.0.2.15", "--name", "127.0.0.1", "--source", "/dev/video0?format=MJPG&size=640x360",
             "--photos", self.photos, "--recordings", films, "--pause", "600", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        lines = queue.Queue()
        threading.Thread(target=lambda: lines.put(self.process.stdout.readline()), daemon=True).start()
        try:
            self.url = json.loads(lines.get(timeout=180))["url"].replace("10.0.2.15", "127.0.0.1")
        except (queue.Empty, ValueError):
            self.process.send_signal(signal.SIGTERM)
            raise SystemError(self.process.stderr.read().strip() or "the viewfinder in the lab did not begin")

    def order(self, *words):
        """Of lab-ctl; returns when it has taken effect."""
        with open(os.path.join(self.work, "order.new"), "w") as file:
            file.write(" ".join(words))
        os.rename(file.name, os.path.join(self.work, "order"))
        done, until = os.path.join(self.work, "done"), time.monotonic() + 60
        while not os.path.exists(done):
            if time.monotonic() > until:
                return check(False, f"lab: lab-ctl {' '.join(words)} takes effect")
            time.sleep(0.1)
        with open(done) as file:
            said = file.read().strip()
        os.remove(done)
        if said.endswith("failed"):
            check(False, f"lab: lab-ctl {' '.join(words)}: {said}")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()


def lab_camera(browser, work, what):
    """The page on a real driver."""
    try:
        lab = Lab(os.path.join(work, what))
    except SystemError as error:
        if "cannot run" in str(error):
            return print(f"skip  {what}: {error}")
        raise
    try:
        page = open_page(browser, lab, ignore_https_errors=True)
        asked, errors = listen(page)
        page.goto(lab.url)
        live(page, what)
        check(page.evaluate("picture.canvas.width === 640 && picture.canvas.height === 360"), f"{what}: its picture is in the page, by TLS")
        for look in (looks, controls, motors):
            attempt(look, page, what)
        for look in (taking, unplugged):
            attempt(look, page, lab, what)
        origin = lab.url.split("/?")[0]
        elsewhere = [url for url in asked if not url.startswith((origin, origin.replace("http", "ws"), "data:", "blob:"))]
        check(not elsewhere, f"{what}: nothing is asked of anybody else" + (f": {elsewhere[0]}" if elsewhere else ""))
        check(not errors, f"{what}: the browser complains of nothing" + (f": {errors[0][:300]}" if errors else ""))
        page.context.close()
    finally:
        lab.end()


def looks(page, what):
    page.evaluate("connection.command('setOverlay', { visible: true })")
    seen(page, "!document.getElementById('overlay').hidden && /640/.test(document.getElementById('overlay').textContent)", f"{what}: the overlay has the camera's own format")
    for width, height in ((375, 667), (1440, 900)):
        shown_at(page, width, height)
        check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: nothing is wider than {width}")
        shot(page, f"{what}-{width}")


def controls(page, what):
    page.keyboard.press("ArrowRight")
    seen(page, "Math.abs(connection.state.exposure.bias.value - 0.1) < 0.051 && document.getElementById('wheel-value').textContent.startsWith('+')", f"{what}: an arrow is a step of the wheel")
    page.keyboard.press("0")
    seen(page, "Math.abs(connection.state.exposure.bias.value) < 0.051", f"{what}: and 0 ends it")
    page.keyboard.press("x")
    page.evaluate("connection.command('setExposureMode', { mode: 'manual' })")
    seen(page, "connection.state.exposure.mode === 'manual'", f"{what}: manual exposure")
    seen(page, "document.querySelector('[data-panel=bias]').textContent === 'manual' && document.querySelector('[data-panel=bias]').getAttribute('aria-label').includes('without effect')", f"{what}: the button of the bias shows no value that has no effect")
    for width in (360, 1440):
        shown_at(page, width, 800)
        seen(page, "![...document.querySelectorAll('#menu span')].some(node => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)", f"{what}: and no text of the row is cut at {width}")
    page.get_by_label("ISO", exact=True).focus()
    before = page.evaluate("connection.state.exposure.iso")
    page.keyboard.press("PageUp")
    seen(page, "before => connection.state.exposure.iso > before", f"{what}: a slider sets the camera's gain", before)
    page.evaluate("connection.command('setExposureMode', { mode: 'auto' })")
    page.keyboard.press("Escape")
    page.mouse.click(500, 300)
    seen(page, "!document.getElementById('focus-marker').hidden", f"{what}: a tap shows the focus marker")
    page.mouse.move(700, 400)
    for _ in range(4):
        page.mouse.wheel(0, -100)
        page.wait_for_timeout(60)
    seen(page, "connection.state.zoom.factor > 1.2", f"{what}: the mouse's wheel zooms")
    page.keyboard.press("w")
    seen(page, "connection.state.zoom.factor === 1", f"{what}: the key W zooms out")


def taking(page, lab, what):
    page.locator("#shutter").click()
    seen(page, "connection.state.photos.count === 1 && !document.getElementById('last-photo').hidden", f"{what}: the shutter takes a photo")
    lab.order("buttons", "press", "first")
    seen(page, "connection.state.photos.count === 2", f"{what}: so does a wireless shutter")
    check(len(os.listdir(lab.photos)) == 2, f"{what}: two files")
    # Loading the codec takes an emulated processor ten seconds.
    page.keyboard.press("r")
    comes_true(page, "connection.state.isRecording")
    seen(page, "connection.state.isRecording && document.getElementById('timecode').textContent > '00:00:00:10'", f"{what}: the key R records, with a time-code")
    page.keyboard.press("r")
    seen(page, "!connection.state.isRecording && connection.state.recordings.length === 1", f"{what}: and ends it")


def motors(page, what):
    page.keyboard.press("d")
    check("connected" in page.locator("#panel-body").inner_text(), f"{what}: its motors are a dock")
    page.get_by_role("button", name="Manual").click()
    button = page.locator("#pad button[aria-label=right]")
    await_true(page, "connection.state.dock.mode === 'manual' && !document.querySelector('#pad button[aria-label=right]').disabled")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    seen(page, "Math.abs(connection.state.dock.motion.pan) > 0.01", f"{what}: the pad turns it")
    page.mouse.up()
    seen(page, "connection.state.dock.motion.pan === 0", f"{what}: until it is released")
    page.keyboard.press("Escape")
    axe(page, what)


def unplugged(page, lab, what):
    lab.order("uvc0", "unplug")
    seen(page, "!document.getElementById('interruption').hidden && document.getElementById('interruption-message').textContent.length > 10 && document.getElementById('shutter').disabled", f"{what}: unplugged, the page says so, and takes no photo")
    shot(page, f"{what}-unplugged")
    page.evaluate("window.was = picture.header?.number ?? 0")
    lab.order("uvc0", "replug")
    seen(page, "document.getElementById('interruption').hidden && picture.header?.number > was && !document.getElementById('shutter').disabled", f"{what}: plugged in again, its picture is back by itself")
