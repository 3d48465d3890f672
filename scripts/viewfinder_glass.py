"""What check-viewfinder tries of the controls over the picture: one row of them in every window, one panel at a time that covers no other control, and texts that can be read on every picture."""
from browsing import attempt, check
from viewfinder_browsing import await_true, live, open_page, seen, settled, shot, shown_at

# Phones upright and sideways, a tablet, a desk.
WINDOWS = ((360, 640), (640, 360), (375, 667), (667, 375), (768, 1024), (1024, 768), (900, 1440), (1440, 900), (1440, 2560), (2560, 1440))
PANELS = ("format", "exposure", "camera", "shelf", "dock", "settings", "keys")

# CSS pixels from the middle of the shutter that a thumb reaches without letting go of the phone, some five centimetres.
REACH = 320
CONTRAST = 4.5

ROW = """() => { const all = [...document.querySelectorAll('#menu button')].filter(node => node.checkVisibility()), boxes = all.map(node => node.getBoundingClientRect())
    const lines = new Set(boxes.map(box => Math.round(box.top))).size, columns = new Set(boxes.map(box => Math.round(box.left))).size, middle = box => [box.left + box.width / 2, box.top + box.height / 2]
    const shutter = middle(document.getElementById('shutter').getBoundingClientRect()), near = ['[data-panel=bias]', '[data-panel=format]', '#lenses [aria-pressed=true]'].map(name => document.querySelector(name).getBoundingClientRect())
    return { count: all.length, isOne: lines === 1 || columns === 1, least: Math.min(...boxes.flatMap(box => [box.width, box.height])),
      unnamed: all.filter(node => !node.getAttribute('aria-label') || !node.querySelector('svg[aria-hidden=true] path')).length,
      cut: [...document.querySelectorAll('#menu span, #zoom button, #taking button')].filter(node => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1).map(node => node.textContent),
      reach: Math.max(...near.map(middle).map(([x, y]) => Math.hypot(x - shutter[0], y - shutter[1]))),
      over: boxes.some(box => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight), wide: document.documentElement.scrollWidth - innerWidth } }"""

# What an open panel covers: of the controls, and of the picture that can be seen.
COVERS = """() => { const box = id => document.getElementById(id).getBoundingClientRect(), panel = box('panel'), stage = document.getElementById('stage')
    const crosses = other => other.width && panel.left < other.right - 0.5 && other.left < panel.right - 0.5 && panel.top < other.bottom - 0.5 && other.top < panel.bottom - 0.5
    const geometry = marks.geometry(), [left, top] = [Math.max(0, geometry.left), Math.max(0, geometry.top)], [right, bottom] = [Math.min(innerWidth, geometry.left + geometry.size.width), Math.min(innerHeight, geometry.top + geometry.size.height)]
    const common = Math.max(0, Math.min(right, panel.right) - Math.max(left, panel.left)) * Math.max(0, Math.min(bottom, panel.bottom) - Math.max(top, panel.top))
    return { crossed: ['shutter', 'record', 'zoom', 'menu', 'notice'].filter(id => document.getElementById(id).checkVisibility() && crosses(box(id))), share: common / ((right - left) * (bottom - top)), height: panel.height, inside: panel.left >= 0 && panel.top >= 0 && panel.right <= innerWidth && panel.bottom <= innerHeight,
      panes: [...document.querySelectorAll('.glass')].filter(node => node.checkVisibility({ visibilityProperty: true })).length } }"""


def rows(page, what):
    """One row of controls, and what each panel covers, in every window."""
    page.evaluate("wheel.appear(false)")
    page.emulate_media(reduced_motion="reduce")
    for width, height in WINDOWS:
        shown_at(page, width, height)
        row, name = page.evaluate(ROW), f"{what}: at {width} by {height}"
        check(row["isOne"] and row["count"] >= 7 and not row["over"] and row["wide"] <= 0, f"{name} {row['count']} controls are in one row, and nothing is wider than the window")
        check(row["least"] >= 40 and row["unnamed"] == 0 and not row["cut"], f"{name} each is 40 pixels wide and high, has a name and an icon, and no text is cut ({row['least']:.0f}{', ' + row['cut'][0] if row['cut'] else ''})")
        if min(width, height) < 500:
            check(row["reach"] <= REACH, f"{name} exposure, format and lens are within a thumb's reach of the shutter ({row['reach']:.0f} pixels, at most {REACH})")
        page.evaluate("say('A sentence that is told for a while.'); clearTimeout(toastTimer)")
        found = []
        for panel in PANELS:
            page.evaluate("name => panels.begin(name)", panel)
            settled(page)
            found.append((panel, page.evaluate(COVERS)))
        page.evaluate("panels.close()")
        bad = [f"{panel} covers {its['crossed'] or its}" for panel, its in found if its["crossed"] or not its["inside"] or its["height"] < 80 or its["panes"] != 1]
        check(not bad, f"{name} no panel covers shutter, zoom, row or what is told" + (f": {bad[0]}" if bad else ""))
        most = max(its["share"] for _, its in found)
        check(most <= 0.5, f"{name} and at least half of the picture stays free ({most:.0%} covered)")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("say('')")
    page.set_viewport_size({"width": 1440, "height": 900})


def one_at_a_time(page, what):
    page.locator("[data-panel=exposure]").click()
    page.locator("[data-panel=format]").click()
    check(page.evaluate("panels.open === 'format' && document.querySelectorAll('#menu [aria-expanded=true]').length === 1"), f"{what}: a panel gives way to the next")
    page.locator("[data-panel=bias]").click()
    seen(page, "panels.open === null && wheel.isShown && connection.state.settings.isEVBiasVisible && document.querySelector('[data-panel=bias]').getAttribute('aria-expanded') === 'true'", f"{what}: and to the wheel")
    page.locator("[data-panel=format]").click()
    check(page.evaluate("!document.getElementById('wheel').checkVisibility() && panels.open === 'format'"), f"{what}: and the wheel to a panel")
    page.get_by_role("group", name="Frames a second").get_by_role("button").first.click()
    seen(page, "document.querySelector('[role=group][aria-label=\"Frames a second\"] [aria-pressed=true]') !== null", f"{what}: the rate is chosen by one press")
    page.locator("[data-panel=bias]").click()
    page.locator("[data-panel=bias]").click()
    seen(page, "panels.open === null && !wheel.isShown && !connection.state.settings.isEVBiasVisible", f"{what}: its button hides the wheel")


def zoomed_once(page, what):
    """The factor is told once: the chosen lens has it."""
    told = """() => [...document.querySelectorAll('#zoom-value, #lenses span')].filter(node => node.checkVisibility() && !node.matches('.unseen')).map(node => node.textContent)"""
    check(page.evaluate(told) == ["1x", "2x"], f"{what}: at rest the zoom is 1x and 2x, once each ({page.evaluate(told)})")
    page.evaluate("connection.command('setZoom', { factor: 1.3, ramp: false })")
    seen(page, f"JSON.stringify(({told})()) === '[\"1.3x\",\"2x\"]' && document.querySelector('#lenses [aria-pressed=true] span').textContent === '1.3x'", f"{what}: the chosen lens shows the zoom")
    page.evaluate("connection.command('setZoom', { factor: 1, ramp: false })")
    seen(page, f"JSON.stringify(({told})()) === '[\"1x\",\"2x\"]'", f"{what}: and its own factor again")


def felt(page, what):
    """A tick of the motor for each step, counted in the browser's place."""
    page.evaluate("() => { window.felt = 0; Object.defineProperty(navigator, 'vibrate', { value: length => { felt++; return length > 0 && length <= 20 }, configurable: true }) }")
    page.locator("#lenses button").last.click()
    seen(page, "felt >= 1", f"{what}: a lens is felt")
    await_true(page, "connection.state.zoom.factor === 2")
    page.locator("#lenses button").first.click()
    # The zoom is felt too, when the camera has it.
    await_true(page, "connection.state.zoom.factor === 1")
    page.evaluate("() => { window.felt = 0; wheel.step(3) }")
    seen(page, "felt === 3", f"{what}: three steps of the wheel are three ticks")
    page.keyboard.press("0")
    await_true(page, "!wheel.wheel.isActive")
    page.evaluate("window.felt = 0")
    page.locator("[data-panel=exposure]").click()
    check(page.evaluate("felt") == 1, f"{what}: a panel is felt")
    page.evaluate("window.felt = 0; connection.command('setExposureMode', { mode: 'manual' })")
    await_true(page, "!document.querySelector('#panel-body input[type=range]').disabled")
    page.get_by_label("ISO", exact=True).focus()
    page.keyboard.press("PageUp")
    seen(page, "felt === 1", f"{what}: a step of a slider is felt")
    page.evaluate("connection.command('setExposureMode', { mode: 'auto' })")
    page.keyboard.press("Escape")


# Texts on pictures. The picture of the camera is stopped, and others are drawn in its place.

PAINT = {
    "white": "'#fff'", "black": "'#000'", "grey": "'#808080'", "light grey": "'#ccc'", "red": "'#f00'", "green": "'#0f0'", "blue": "'#00f'", "yellow": "'#ff0'", "cyan": "'#0ff'", "magenta": "'#f0f'", "orange": "'#ff3b30'",
    "squares of 2": "x >> 1 & 1 ^ y >> 1 & 1 ? '#fff' : '#000'", "squares of 16": "x >> 4 & 1 ^ y >> 4 & 1 ? '#fff' : '#000'", "squares of 100": "(x / 100 & 1) ^ (y / 100 & 1) ? '#fff' : '#000'",
}
DRAW = """([name, side]) => { const { context, canvas } = picture, rule = window.rules[name]; for (let y = 0; y < canvas.height; y += side) for (let x = 0; x < canvas.width; x += side) { context.fillStyle = rule(x, y); context.fillRect(x, y, side, side) }
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))) }"""
TEXTS = """() => { const all = [], walk = document.createTreeWalker(document.getElementById('stage'), NodeFilter.SHOW_TEXT)
    const add = (node, box, text) => { const within = node.closest('#panel-body')?.getBoundingClientRect() ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
        const [left, top, right, bottom] = [Math.max(box.left, within.left, 0), Math.max(box.top, within.top, 0), Math.min(box.right, within.right, innerWidth), Math.min(box.bottom, within.bottom, innerHeight)].map(Math.round)
        if (right - left > 3 && bottom - top > 3) all.push({ text, color: getComputedStyle(node).color, box: [left, top, right - left, bottom - top] }) }
    while (walk.nextNode()) { const { currentNode } = walk, node = currentNode.parentElement; if (!currentNode.textContent.trim() || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || node.closest('.unseen, #surface, option')) continue
        const range = document.createRange(); range.selectNodeContents(currentNode); for (const box of range.getClientRects()) add(node, box, currentNode.textContent) }
    for (const node of document.querySelectorAll('.icon')) if (node.checkVisibility({ visibilityProperty: true })) { const box = node.getBoundingClientRect(), inner = { left: box.left + 3, top: box.top + 3, right: box.right - 3, bottom: box.bottom - 3 }; add(node, inner, `icon of ${node.parentElement.getAttribute('aria-label')}`) }
    for (const node of document.querySelectorAll('select')) if (node.checkVisibility()) { const box = node.getBoundingClientRect(); add(node, { left: box.left + 14, top: box.top + 10, right: box.right - 24, bottom: box.bottom - 10 }, 'choice') }
    return all }"""
HIDE = "isHidden => { const sheet = new CSSStyleSheet(); if (isHidden) sheet.replaceSync('* { color: transparent !important; transition: none !important } #wheel-ticks, #wheel-face::after, .icon, #frame, #marks { visibility: hidden !important }'); document.adoptedStyleSheets = [sheet] }"
# The least contrast (WCAG 2.2) of each text with any pixel of its box, from a picture of the page without its texts.
MEASURE = """async ([data, texts]) => { const bitmap = await createImageBitmap(await (await fetch(data)).blob()), pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d'); pen.drawImage(bitmap, 0, 0)
    const linear = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4, light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    let worst = { contrast: 99 }; for (const { text, color, box } of texts) { const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number), pixels = pen.getImageData(...box).data
        for (let at = 0; at < pixels.length; at += 4) { const under = [pixels[at], pixels[at + 1], pixels[at + 2]], over = [r, g, b].map((value, axis) => value * a + under[axis] * (1 - a)), pair = [light(under), light(over)], contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05); if (contrast < worst.contrast) worst = { contrast, text, under } } }
    return worst }"""
STATES = ((1440, 900, "panels.begin('exposure')"), (375, 667, "picture.gravityWish = 'fill'; framing.lay(); panels.begin('settings')"), (667, 375, "panels.begin('format')"), (375, 667, "panels.close(); wheel.appear(true); panels.mark()"), (1440, 900, "wheel.appear(true); panels.mark(); connection.command('startRecording')"))
# The page goes on to know the state, and shows no change of it.
HOLD, GO_ON = "() => { connection.show = function (state) { this.state = state } }", "() => { delete connection.show; connection.show(connection.state) }"


def readable(browser, server, what):
    page, measurer = open_page(browser, server, reduced_motion="reduce"), browser.new_page()
    camera = page.context.new_cdp_session(page)
    page.goto(server.url)
    live(page, what)
    # The blur stays, also beside busy programs.
    page.evaluate("() => { window.ownWeighing = weighGlass; weighGlass = () => {}; connection.command('setOverlay', { visible: true }) }")
    await_true(page, "!document.getElementById('overlay').hidden")
    moving, still = [], []
    for width, height, state in STATES:
        page.evaluate(state + "; say('A sentence that is told for a while.'); clearTimeout(toastTimer)")
        await_true(page, f"connection.state.isRecording === {'true' if 'Recording' in state else 'false'}")
        shown_at(page, width, height)
        for turn in range(6):
            texts = begin_measuring(page)
            moving.append((f"moving, {turn}", contrast(camera, measurer, texts)))
            page.evaluate(HIDE, False)
            page.evaluate(GO_ON)
    page.evaluate("connection.command('stopRecording')")
    await_true(page, "!connection.state.isRecording && connection.state.recordings.length === 1")
    page.evaluate("connection.command('deleteRecording', { name: connection.state.recordings[0].name })")
    # From here on nothing but these pictures changes.
    page.evaluate("picture.receive = () => {}; picture.socket.onmessage = null; window.rules = {" + ", ".join(f"'{name}': (x, y) => {rule}" for name, rule in PAINT.items()) + "}")
    for width, height, state in STATES[:4]:
        page.evaluate(state + "; say('A sentence that is told for a while.'); clearTimeout(toastTimer)")
        shown_at(page, width, height)
        texts = begin_measuring(page)
        for name in PAINT:
            page.evaluate(DRAW, [name, int(name.rsplit(" ", 1)[1]) if "squares" in name else 640])
            still.append((name, contrast(camera, measurer, texts)))
            if name in ("white", "squares of 16"):
                page.evaluate(HIDE, False)
                shot(page, f"{what}-{width}-{name.replace(' ', '-')}")
                page.evaluate(HIDE, True)
        page.evaluate(HIDE, False)
        page.evaluate(GO_ON)
    for kind, found, count in (("moving", moving, 6), ("still", still, len(PAINT))):
        name, worst = min(found, key=lambda pair: pair[1]["contrast"])
        check(worst["contrast"] >= CONTRAST, f"{what}: on {count} {kind} pictures, in {len(found) // count} states, every text has at least {CONTRAST} : 1 ({worst['contrast']:.2f} : 1, “{worst.get('text', '')[:40]}” on {name}, over {worst.get('under')})")
    page.set_viewport_size({"width": 1440, "height": 900})
    opaque(page, what)
    page.context.close()
    measurer.context.close()


def begin_measuring(page):
    """Takes the texts away, and returns where they were. The next frame but one is sure to be without them."""
    page.evaluate(HOLD)
    texts = page.evaluate(TEXTS)
    page.evaluate(f"isHidden => {{ ({HIDE})(isHidden); return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))) }}", True)
    return texts


def contrast(camera, measurer, texts):
    data = camera.send("Page.captureScreenshot", {"optimizeForSpeed": True})["data"]
    return measurer.evaluate(MEASURE, [f"data:image/png;base64,{data}", texts]) if len(texts) > 10 else {"contrast": 0, "text": "no text"}


def opaque(page, what):
    glass = "() => { const { backgroundColor, backdropFilter } = getComputedStyle(document.getElementById('panel')); return [backgroundColor, backdropFilter] }"
    page.evaluate("panels.begin('exposure')")
    check("blur" in page.evaluate(glass)[1] and page.evaluate(glass)[0] == "rgba(0, 0, 0, 0.6)", f"{what}: a panel is translucent")
    devtools = page.context.new_cdp_session(page)
    for feature, value in (("prefers-reduced-transparency", "reduce"), ("prefers-contrast", "more")):
        devtools.send("Emulation.setEmulatedMedia", {"features": [{"name": feature, "value": value}]})
        check(page.evaluate(glass) == ["rgb(0, 0, 0)", "none"], f"{what}: it is opaque by {feature}")
    devtools.send("Emulation.setEmulatedMedia", {"features": []})
    page.evaluate("panels.close()")
    # Pictures that wait longer for their frame since the panel is open, as they would without a graphics card.
    page.evaluate("delete picture.receive; picture.close(); picture.shown = []; picture.open()")
    await_true(page, "picture.shown.length >= 60")
    page.evaluate("() => { weighGlass = ownWeighing; panels.begin('exposure'); const own = picture.report; picture.report = function (header, code, wait) { own.call(this, header, code, wait + 50) } }")
    seen(page, "document.documentElement.classList.contains('is-plain')", f"{what}: glass that delays the pictures loses its blur")
    check(page.evaluate(glass)[1] == "none", f"{what}: and is a darker pane")


def controls(page, what):
    for look in (rows, one_at_a_time, zoomed_once, felt):
        attempt(look, page, what)
