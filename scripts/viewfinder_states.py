"""The states of check-viewfinder that no camera here has: a channel that is played, and what the page then shows and asks."""
import copy, json, os, time

from browsing import attempt, check
from viewfinder_browsing import Server, await_true, comes, comes_true, live, open_page, shot, shown_at

SPINE = {"id": "1", "outline": [[0.4, 0.3], [0.6, 0.3], [0.6, 0.7], [0.4, 0.7]], "text": "DUNE <b>", "title": "Dune <b>", "author": "Herbert", "certainty": "sure"}
DOCK = {"status": "tracking", "name": "Simulated dock", "battery": {"level": 0.8, "charging": True}, "mode": "custom", "framing": "auto", "roi": [0.25, 0.25, 0.5, 0.5],
        "subjects": [{"id": 7, "rect": [0.45, 0.4, 0.1, 0.2], "confidence": 0.8, "rank": 1}, {"id": 9, "rect": [0.7, 0.4, 0.1, 0.2], "confidence": 0.5, "rank": 2}], "selected": 7,
        "motion": {"pan": 0, "tilt": 0}, "position": None, "animation": None, "presets": ["desk"],
        "features": {"tracking": True, "regionOfInterest": True, "framing": True, "animation": True, "tapToTrack": True, "summary": False}}


class Channel:
    """Plays the server's part of the control channel."""

    def __init__(self, page, state):
        self.page, self.state, self.revision, self.asked, self.links, self.sent = page, copy.deepcopy(state), 1, [], [], 0
        page.route_web_socket(lambda url: url.endswith("/channel"), self.open)

    def open(self, link):
        self.links.append(link)
        link.on_message(lambda text: self.take(link, json.loads(text)))
        link.send(json.dumps({"type": "state", "revision": self.revision, "state": self.state}))

    def take(self, link, message):
        self.asked.append(message)
        if message["type"] == "command":
            link.send(json.dumps({"type": "answer", "id": message["id"], "status": "accepted", "revision": self.revision}))
        if message["type"] == "clock":
            link.send(json.dumps({"type": "clock", "id": message["id"], "time": time.monotonic() * 1000}))

    def change(self, **members):
        self.state.update(members)
        self.send({"type": "state", "revision": self.revision, "state": self.state})

    def listen(self):
        """The page says from here on what it has taken."""
        self.page.evaluate("connection.onEvent(({ event, count }) => { if (event === 'sent') window.sent = count })")

    def send(self, message):
        """Returns when the page has taken it."""
        self.sent += 1
        for part in (message, {"type": "event", "event": "sent", "count": self.sent}):
            self.links[-1].send(json.dumps(part))
        await_true(self.page, "count => window.sent === count", self.sent)

    def commands(self, name):
        return [message["arguments"] for message in self.asked if message.get("command") == name]


def scripted(browser, work, what):
    with Server("sensor:1280x720@30", os.path.join(work, what)) as server:
        page = open_page(browser, server)
        page.goto(server.url)
        live(page, what)
        state = page.evaluate("connection.state")
        page.context.close()
        page = open_page(browser, server)
        channel = Channel(page, state)
        page.goto(server.url)
        await_true(page, "picture.header !== null && connection.isTold && connection.isOpen")
        channel.listen()
        for look in (interruptions, countdown, patches, spines, ended, refused, dock):
            attempt(look, page, channel, what)
        page.context.close()


def interruptions(page, channel, what):
    session, photos = channel.state["session"], channel.state["photos"]
    text = lambda name: page.locator(f"#{name}").inner_text()
    stopped = {**photos, "isShutterEnabled": False, "reason": "the session is interrupted"}
    channel.change(session={**session, "state": "interrupted", "reason": "deviceInUse", "severity": "notice", "message": "The camera is in use by another program.", "remedy": "Close it."}, photos=stopped)
    check(page.locator("#interruption").is_visible() and text("interruption-message") == "The camera is in use by another program." and text("interruption-remedy") == "Close it.", f"{what}: an interruption has its sentence and remedy")
    check(page.locator("#shutter").is_disabled() and "interrupted" in text("shutter-reason"), f"{what}: the shutter is disabled, and says why")
    shot(page, "interrupted")
    page.locator("#retry").click()
    check(comes(page, lambda: len(channel.commands("retry")) == 1), f"{what}: it can be tried again")
    channel.change(session={**session, "state": "interrupted", "reason": "background", "severity": "silent", "message": ""})
    check(not page.locator("#interruption").is_visible(), f"{what}: a silent interruption says nothing")
    channel.change(session={**session, "state": "failed", "reason": "permissionDenied", "severity": "warning", "message": "This user may not open /dev/video0.", "remedy": "Add this user to the group video, and log in again."})
    check(text("interruption-title") == "No permission for the camera" and "video" in text("interruption-remedy") and page.locator("#retry").is_visible(), f"{what}: a missing permission has a view of its own")
    for width, height in ((375, 667), (667, 375), (1440, 900)):
        shown_at(page, width, height)
        box, over = page.evaluate("(() => { const { left, right, top, bottom } = document.getElementById('interruption').getBoundingClientRect(); return [[left, right], ['menu', 'taking', 'zoom'].filter(id => { const box = document.getElementById(id).getBoundingClientRect(); return left < box.right && box.left < right && top < box.bottom && box.top < bottom })] })()")
        check(box[0] >= 0 and box[1] <= width and not over, f"{what}: at {width} by {height} it covers no control {over or ''}")
    shown_at(page, 1440, 900)
    shot(page, "permission")
    channel.change(session=session, photos=photos)
    check(not page.locator("#interruption").is_visible() and page.locator("#shutter").is_enabled(), f"{what}: both have gone with the camera's return")


def countdown(page, channel, what):
    now = page.evaluate("Date.now() / 1000")
    channel.change(queue={"pending": 3, "uploaded": 1, "failed": 0, "offline": True, "limitedUntil": now + 9})
    first = page.locator("#countdown").inner_text()
    check(first in "456789" and page.locator("#shutter").is_disabled(), f"{what}: too many requests count down on the disabled shutter ({first})")
    shot(page, "limited")
    channel.change(queue={**channel.state["queue"], "limitedUntil": page.evaluate("Date.now() / 1000 + 1")})
    over = comes_true(page, "document.getElementById('countdown').textContent === '' && !document.getElementById('shutter').disabled")
    check(over, f"{what}: and it is enabled when the time is over")
    page.keyboard.press("b")
    channel.change(library={"books": 2, "newest": [{"id": "1", "title": "Dune", "author": "Herbert", "certainty": "doubtful"}]})
    told = page.locator("#panel-body").inner_text()
    check("3 waiting, 1 uploaded, 0 failed; offline" in told and "2 books" in told and "Dune, Herbert" in told and "doubtful" in told, f"{what}: queue and library are told")
    channel.change(queue={"pending": 0, "uploaded": 4, "failed": 0, "offline": False, "limitedUntil": None})
    check("0 waiting, 4 uploaded" in page.locator("#panel-body").inner_text(), f"{what}: as they grow")
    page.keyboard.press("Escape")


def patches(page, channel, what):
    channel.send({"type": "change", "revision": channel.revision + 1, "change": {"zoom": {"factor": 2.5}}})
    channel.revision += 1
    check(page.locator("#zoom-value").inner_text() == "2.5x", f"{what}: a change is merged")
    links = len(channel.links)
    page.evaluate("window.began = 0; { const own = connection.begin; connection.begin = function (message) { own.call(this, message); window.began++ } } 0")
    channel.links[-1].send(json.dumps({"type": "change", "revision": channel.revision + 5, "change": {"zoom": {"factor": 3}}}))
    anew = comes_true(page, "window.began === 1")
    check(anew and len(channel.links) == links + 1 and page.locator("#zoom-value").inner_text() != "3x", f"{what}: after a gap in the changes everything is asked anew")


def spines(page, channel, what):
    channel.change(spines={"orientation": 0, "items": [SPINE], "sureSoFar": 37, "time": None})
    page.keyboard.press("b")
    check("1 spine in the picture, 1 sure; 37 different sure books so far" in page.locator("#panel-body").inner_text(), f"{what}: the progress along a shelf is told")
    page.keyboard.press("Escape")
    channel.change(spines={"orientation": 0, "items": [], "time": None})
    await_true(page, "marks.trail.copies.length > 0")
    # The shown picture, cropped for each zoom. The channel of pictures is stopped, so the picture stays.
    page.evaluate("picture.close = picture.receive = () => {}; picture.socket.onmessage = null")
    for zoom in (1, 2):
        for width, height in ((1440, 900), (375, 667)):
            shown_at(page, width, height)
            page.evaluate("zoom => { picture.header = { ...picture.header, part: zoom > 1 ? [0.5 - 0.5 / zoom, 0.5 - 0.5 / zoom, 1 / zoom, 1 / zoom] : undefined, time: picture.header.time + 33 }; marks.trail = new Trail(); picture.watchers.forEach(watcher => watcher(picture.header)) }", zoom)
            channel.change(spines={"orientation": 0, "items": [SPINE], "time": page.evaluate("picture.header.time")})
            points = page.evaluate("document.querySelector('[data-mark=spine]').getAttribute('points').split(' ').map(pair => pair.split(',').map(Number))")
            scale = max(width / 1280, height / 720) if width > height else min(width / 1280, height / 720)
            top = (height - 720 * scale) * (0.5 if width > height else 0.35)
            right = [[width / 2 + (x - 0.5) * 1280 * scale * zoom, top + (0.5 + (y - 0.5) * zoom) * 720 * scale] for x, y in SPINE["outline"]]
            off = max(abs(a - b) for point, place in zip(points, right) for a, b in zip(point, place))
            check(off <= 0.5, f"{what}: the outline of a spine lies right at {width} and {zoom}x ({off:.2f} px off)")
    page.set_viewport_size({"width": 1440, "height": 900})
    turned = page.evaluate("""[90, 180, 270].map(rotation => { const header = picture.header; picture.header = { ...header, rotation, crop: [0, 0, 0.5, 0.5] }
        const part = marks.geometry().part; picture.header = header; return part })""")
    check(turned == [[0.5, 0, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5], [0, 0.5, 0.5, 0.5]], f"{what}: a part of the stored picture is turned with it")
    check(page.evaluate("document.querySelector('#marks text').textContent") == "Dune <b>" and page.locator("#marks b").count() == 0, f"{what}: its text is text")
    shot(page, "spines")
    beside_each_other(page, channel, what)
    channel.change(spines={"orientation": 0, "items": [SPINE], "time": page.evaluate("picture.header.time")})
    channel.change(rotation={**channel.state["rotation"], "isPreviewMirrored": True})
    mirrored = page.evaluate("document.querySelector('[data-mark=spine]').getAttribute('points').split(' ')[0].split(',').map(Number)")
    middle = [720 + (0.6 - 0.5) * 1600 * 2, 450 + (0.3 - 0.5) * 900 * 2]
    check(max(abs(a - b) for a, b in zip(mirrored, middle)) <= 0.5, f"{what}: a mirrored preview has it on the other side ({mirrored})")
    channel.change(rotation={**channel.state["rotation"], "isPreviewMirrored": False})
    channel.change(spines={"orientation": 0, "items": [SPINE], "time": page.evaluate("picture.header.time - 5000")})
    check(page.locator("[data-mark=spine]").count() == 0, f"{what}: what was read in a picture that nobody has seen is not shown")
    channel.change(spines={"orientation": 0, "items": []})
    page.evaluate("delete picture.receive; delete picture.close; picture.close(); picture.open()")
    await_true(page, "picture.header !== null")


def beside_each_other(page, channel, what):
    """Twelve upright and six lying books, narrower than their texts are high, of three kinds of certainty."""
    kinds, items = ("sure", "doubtful", "unlikely"), []
    for index in range(18):
        left, top, width, height = (0.3 + index * 0.012, 0.4, 0.01, 0.2) if index < 12 else (0.5, 0.4 + (index - 12) * 0.02, 0.15, 0.015)
        items.append({"id": str(index), "title": f"Title {index} of a book", "text": f"TITLE {index}", "author": "Somebody", "certainty": kinds[index % 3], "outline": [[left, top], [left + width, top], [left + width, top + height], [left, top + height]]})
    for width, height in ((375, 667), (667, 375), (1440, 900)):
        shown_at(page, width, height)
        channel.change(spines={"orientation": 0, "items": items, "time": page.evaluate("picture.header.time")})
        boxes = page.evaluate("[...document.querySelectorAll('[data-mark=words]')].map(words => words.previousSibling.getBoundingClientRect()).map(({ left, top, right, bottom }) => [left, top, right, bottom])")
        crossed = [(a, b) for index, a in enumerate(boxes) for b in boxes[index + 1:] if a[0] < b[2] - 0.1 and b[0] < a[2] - 0.1 and a[1] < b[3] - 0.1 and b[1] < a[3] - 0.1]
        beyond = [box for box in boxes if box[0] < 0 or box[1] < 0 or box[2] > width + 0.5]
        check(len(boxes) >= 4 and not crossed and not beyond, f"{what}: at {width} by {height} {len(boxes)} texts of {len(items)} spines lie over no other, within the window {crossed[:1]}{beyond[:1]}")
    told = page.evaluate("""[...document.querySelectorAll('[data-mark=spine]')].slice(0, 3).map(line => line.getAttribute('stroke-dasharray')).concat([...document.querySelectorAll('[data-mark=words]')].map(words => /^[?]*/.exec(words.textContent)[0]))""")
    check(len(set(told[:3])) == 3 and {"", "?"} <= set(told[3:]), f"{what}: how sure a reading is can be seen by dashes and signs ({told[:3]})")
    asked = len(channel.commands("focus"))
    page.mouse.click(*page.evaluate("middleOf(marks.spines[13].points)"))
    told = page.locator("#spine").inner_text() if page.locator("#spine").is_visible() else ""
    check("Title 13 of a book" in told and "TITLE 13" in told and "doubtful" in told and comes(page, lambda: len(channel.commands("focus")) > asked), f"{what}: a tap on a spine tells what was read, and focuses there")
    page.keyboard.press("Escape")
    check(page.evaluate("document.querySelectorAll('[data-mark=spine][stroke-width=\"4\"]').length") == 1, f"{what}: and it is marked")


def ended(page, channel, what):
    """A recording that ends by itself is told until it is read."""
    recording = channel.state["recording"]
    full = {"file": "film-1.mp4", "trouble": "cannot record to films/film-1.mp4: No space left on device; free some space"}
    channel.change(isRecording=True, recording={**recording, "state": "recording", "ended": None})
    channel.change(isRecording=False, recording={**recording, "state": "idle", "ended": full})
    text = page.locator("#ended").inner_text()
    check(page.locator("#ended").is_visible() and "The recording film-1.mp4 ended by itself. Cannot record" in text and "free some space." in text, f"{what}: a recording that ended by itself says why")
    shot(page, "ended")
    page.set_viewport_size({"width": 375, "height": 667})
    check(page.evaluate("document.documentElement.scrollWidth <= innerWidth && document.getElementById('ended').getBoundingClientRect().right <= innerWidth"), f"{what}: also on a phone")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator("#ended-close").focus()
    page.keyboard.press("Enter")
    check(not page.locator("#ended").is_visible(), f"{what}: until it is read")
    channel.change(zoom=channel.state["zoom"])
    check(not page.locator("#ended").is_visible(), f"{what}: and not again")
    channel.change(recording={**recording, "ended": {"file": "film-2.mp4", "trouble": None}})
    check(not page.locator("#ended").is_visible(), f"{what}: one that was stopped says nothing")
    channel.change(recording=recording)


def refused(page, channel, what):
    """Each control is disabled by what the document says of its command, and no other."""
    page.keyboard.press("x")
    rows = {"setExposureMode": "group[name=Exposure]", "lockExposure": "Exposure lock", "shutterPriority": "Shutter priority (180°)", "setISO": "ISO", "setShutter": "Shutter", "setTint": "Tint",
            "setTorch": "Torch", "setStabilization": "Stabilisation", "setWhiteBalance": "Temperature"}
    channel.change(refusals={})
    isDisabled = lambda name: page.get_by_role("group", name="Exposure", exact=True).get_by_role("button").first.is_disabled() if name.startswith("group") else page.get_by_label(name, exact=True).is_disabled()
    free = [command for command, name in rows.items() if isDisabled(name)]
    check(not [command for command in free if command not in ("setTint", "setTorch", "setStabilization")], f"{what}: nothing is disabled that is not refused ({free})")
    for command, name in rows.items():
        channel.change(refusals={command: "this is the reason"})
        if command in free:
            continue
        check(isDisabled(name) and "This is the reason." in page.locator("#panel-body").inner_text(), f"{what}: {command} is disabled, with the reason")
    page.keyboard.press("Escape")
    channel.change(refusals={"setExposureBias": "shutter priority is on; switch it off first"})
    page.evaluate("wheel.appear(true)")
    check(page.evaluate("wheel.isDisabled && document.getElementById('wheel-zero').disabled && document.getElementById('wheel-face').getAttribute('aria-disabled') === 'true'") and page.locator("#wheel-reason").inner_text() == "Shutter priority is on; switch it off first.", f"{what}: so is the wheel")
    channel.change(refusals={"startRecording": "it would be without its look"})
    check(page.locator("#record").is_disabled() and page.locator("#record").get_attribute("title") == "It would be without its look.", f"{what}: so is the record button")
    page.evaluate("wheel.appear(false)")
    channel.change(refusals={})


def dock(page, channel, what):
    channel.change(dock=DOCK)
    marks = page.evaluate("[...document.querySelectorAll('[data-mark]')].map(mark => mark.dataset.mark)")
    check(marks == ["subject", "subject", "region"], f"{what}: subjects and region are drawn")
    page.keyboard.press("d")
    check("battery 80 %, charging" in page.locator("#panel-body").inner_text(), f"{what}: the dock's battery is told")
    check(page.get_by_label("up", exact=True).is_disabled(), f"{what}: the pad waits for manual mode")
    shot(page, "dock")
    page.get_by_role("button", name="Manual").click()
    page.get_by_role("group", name="Framing").get_by_role("button", name="left").click()
    page.get_by_role("button", name="Yes").click()
    check(page.get_by_role("button", name="desk").is_disabled() and page.get_by_role("button", name="Save the position").is_disabled(), f"{what}: a position waits for manual mode, and none is kept of motors that do not tell theirs")
    page.get_by_role("button", name="Subject 9").click()
    comes(page, lambda: channel.commands("dockSelect"))
    asked = [channel.commands(name) for name in ("dockMode", "dockFraming", "dockSelect")]
    check(asked == [[{"mode": "manual"}], [{"framing": "left"}], [{"id": 9}]] and channel.commands("dockAnimate"), f"{what}: mode, framing, movement and subject are asked for")
    page.mouse.click(720, 450)
    check(comes(page, lambda: channel.commands("dockSelect")[-1] == {"none": True}), f"{what}: a tap on the chosen subject lets it go")
    page.mouse.click(1000, 450)
    comes(page, lambda: len(channel.commands("dockSelect")) == 3)
    point = channel.commands("dockSelect")[-1]
    check(abs(point.get("x", 9) - (1000 - 720) / 1600 - 0.5) < 0.001 and abs(point["y"] - 0.5) < 0.001, f"{what}: a tap elsewhere chooses what is there")
    region(page, channel, what)
    pad(page, channel, what)


def region(page, channel, what):
    page.get_by_role("button", name="Draw").click()
    check(not page.locator("#panel").is_visible(), f"{what}: the panel gives way to what is drawn")
    page.mouse.move(320, 225)
    page.mouse.down()
    page.mouse.move(520, 350)
    page.mouse.up()
    comes(page, lambda: channel.commands("dockROI") and page.locator("#panel").is_visible())
    rect = channel.commands("dockROI")[-1]["rect"]
    right = [(320 + 80) / 1600, 225 / 900, 200 / 1600, 125 / 900]
    check(max(abs(a - b) for a, b in zip(rect, right)) < 0.001 and page.locator("#panel").is_visible(), f"{what}: a region is drawn on the picture, where the panel was")


def pad(page, channel, what):
    channel.change(dock={**DOCK, "mode": "manual"})
    page.get_by_role("button", name="desk").click()
    check(comes(page, lambda: channel.commands("dockPreset") == [{"name": "desk", "save": False}]), f"{what}: a position is gone to in manual mode")
    button = page.locator("#pad button[aria-label=left]")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    comes(page, lambda: len(channel.commands("dockMove")) >= 3)
    page.mouse.up()
    comes(page, lambda: channel.commands("dockStop"))
    moves, stops = channel.commands("dockMove"), len(channel.commands("dockStop"))
    check(len(moves) >= 3 and all(move == {"pan": -0.2, "tilt": 0} for move in moves) and stops == 1, f"{what}: the pad moves while it is held ({len(moves)} times), and stops once")
    page.wait_for_timeout(300)
    check(len(channel.commands("dockMove")) == len(moves), f"{what}: and not after it")
    shot(page, "pad")
    button.focus()
    page.keyboard.down("Enter")
    comes(page, lambda: len(channel.commands("dockMove")) > len(moves))
    page.keyboard.up("Enter")
    check(comes(page, lambda: len(channel.commands("dockMove")) > len(moves) and len(channel.commands("dockStop")) == 2), f"{what}: so does the key")
