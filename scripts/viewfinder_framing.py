"""What check-viewfinder tries of the frame: what is seen is what a photo has, however the camera lies, and what was read goes with the picture."""
import os

from browsing import attempt, check
from viewfinder_browsing import Server, await_true, live, open_page, seen, shot, shown_at

SIZES = ((375, 667), (667, 375), (1440, 900))
CAMERAS = {"across": "", "turned by 90": "?mount=90", "turned by 180": "?mount=180", "turned by 270": "?mount=270", "mirrored": "?front=1"}

# The placement of the picture, and the part of it that is visible, computed independently from the sizes.
LAID = """() => { const { width, height } = picture.canvas, scales = [innerWidth / width, innerHeight / height], share = Math.min(...scales) / Math.max(...scales)
    const isWhole = share < 0.8, scale = isWhole ? Math.min(...scales) : Math.max(...scales)
    return { share, isWhole, scale, left: (innerWidth - width * scale) / 2, top: (innerHeight - height * scale) * (isWhole ? 0.35 : 0.5), width, height, style: getComputedStyle(picture.canvas).objectFit } }"""

# The correlation of the drawn picture and the last photo, both small and grey: -1 to 1.
ALIKE = """async isMirrored => { const photo = new Image(); photo.src = document.querySelector('#last-photo img').src; await photo.decode()
    const grey = (source, isTurned) => { const pen = new OffscreenCanvas(48, 48).getContext('2d'); pen.imageSmoothingQuality = 'high'; if (isTurned) { pen.translate(48, 0); pen.scale(-1, 1) } pen.drawImage(source, 0, 0, 48, 48)
        const { data } = pen.getImageData(0, 0, 48, 48); return Array.from({ length: 48 * 48 }, (_, index) => data[4 * index + 1]) }
    const [a, b] = [grey(photo, false), grey(picture.canvas, isMirrored)], mean = list => list.reduce((sum, value) => sum + value) / list.length, [p, q] = [mean(a), mean(b)]
    const dot = (x, m, y, n) => x.reduce((sum, value, index) => sum + (value - m) * (y[index] - n), 0)
    return { alike: dot(a, p, b, q) / Math.sqrt(dot(a, p, a, p) * dot(b, q, b, q)), aspect: photo.naturalWidth / photo.naturalHeight } }"""


def framing(browser, work, _):
    for name, options in CAMERAS.items():
        # `simulated` zooms by cropping. `sensor` has a still scene and a lens that zooms.
        for kind, looks in (("simulated", (framed,)), ("sensor", (photographed, zoomed_by_its_lens))):
            with Server(f"{kind}:640x360@30{options}", os.path.join(work, f"framing {kind} {name}")) as server:
                page = open_page(browser, server, 375, 667)
                page.goto(server.url)
                live(page, name)
                for look in looks:
                    attempt(look, page, f"a {kind} camera {name}")
                page.context.close()


def framed(page, what):
    for width, height in SIZES:
        shown_at(page, width, height)
        laid = page.evaluate(LAID)
        style = "contain" if laid["isWhole"] else "cover"
        check(laid["style"] == style, f"{what}: at {width} by {height} it is {'whole' if laid['isWhole'] else 'over the window'}, where {laid['share']:.0%} would be seen")
        told = page.evaluate("(() => { const button = document.getElementById('framing'); return button.checkVisibility() ? [button.textContent, button.getAttribute('aria-label')] : null })()")
        right = told is None if laid["share"] > 0.995 else told and (told[0] == "Fill" if laid["isWhole"] else told[0] == f"{round(laid['share'] * 100)} % seen" and "a photo has all of it" in told[1])
        check(right, f"{what}: at {width} by {height} what of a photo is not seen is told ({told and told[0]})")
        marked(page, laid, width, height, f"{what}: at {width} by {height}")
        for zoom in (1, 2):
            tapped(page, laid, zoom, f"{what}: at {width} by {height} and {zoom}x")
    page.set_viewport_size({"width": 375, "height": 667})


def marked(page, laid, width, height, what):
    """The corners of a whole picture, or both edges of the window beyond which a photo goes on."""
    box = page.evaluate("(() => { const box = document.querySelector('#frame path:last-child')?.getBBox(); return box ? [box.x, box.y, box.width, box.height] : null })()")
    size = [laid["width"] * laid["scale"], laid["height"] * laid["scale"]]
    if laid["share"] > 0.995:
        return check(box is None, f"{what} nothing is marked where all is seen")
    if laid["isWhole"]:
        off = max(abs(a - b) for a, b in zip(box or [9e9] * 4, [laid["left"], laid["top"], *size]))
        return check(off <= 3.1, f"{what} the corners of the picture are marked ({off:.1f} px off)")
    axis = 0 if size[0] > width + 1 else 1
    check(box is not None and abs(box[axis] - 1.5) < 0.1 and abs(box[axis] + box[axis + 2] - (width, height)[axis] + 1.5) < 0.1 and box[3 - axis] <= 120.1, f"{what} the edges beyond which a photo goes on are marked ({box})")


def tapped(page, laid, zoom, what):
    page.evaluate("factor => connection.command('setZoom', { factor, ramp: false })", zoom)
    await_true(page, "zoom => Math.abs((picture.header.part ?? WHOLE)[2] - 1 / zoom) < 1e-6", zoom)
    point = [0.42, 0.4]
    off = off_by(page, laid, [0.5 + (share - 0.5) * zoom for share in point], point, zoom)
    # A pointer's position is known only to the pixel, so the error may be half a pixel.
    check(off <= 0.5, f"{what} a tap focuses where it is ({off:.2f} px off)")


def off_by(page, laid, place, point, zoom=1):
    """Pixels between a point and what the page asks for when its place in the picture that is drawn is tapped."""
    page.evaluate("{ delete connection.post; const own = connection.post.bind(connection); connection.post = message => { if (message.command === 'focus') window.asked = message.arguments; own(message) } } 0")
    page.mouse.click(laid["left"] + place[0] * laid["width"] * laid["scale"], laid["top"] + place[1] * laid["height"] * laid["scale"])
    asked = page.evaluate("window.asked ?? { x: 9, y: 9 }")
    return max(abs(asked["x"] - point[0]) * laid["width"], abs(asked["y"] - point[1]) * laid["height"]) * laid["scale"] * zoom


def zoomed_by_its_lens(page, what):
    """What the camera delivers is the whole picture then: a point of it is no part of a wider one."""
    page.evaluate("connection.command('setZoom', { factor: 2, ramp: false })")
    await_true(page, "connection.state.zoom.factor === 2 && (picture.zooms = picture.header.part ? 0 : (picture.zooms ?? 0) + 1) > 20")
    off = off_by(page, page.evaluate(LAID), [0.42, 0.4], [0.42, 0.4])
    check(off <= 0.5, f"{what}: a lens that zooms moves no tap ({off:.2f} px off)")


def photographed(page, what):
    page.keyboard.press("p")
    await_true(page, "connection.state.photos.count === 1 && document.querySelector('#last-photo img') !== null")
    found = page.evaluate(ALIKE, "mirrored" in what)
    aspect = page.evaluate("picture.canvas.width / picture.canvas.height")
    check(found["alike"] > 0.9 and abs(found["aspect"] / aspect - 1) < 0.02, f"{what}: the photo has what is seen on a phone that stands ({found['alike']:.3f})")
    before = page.evaluate("getComputedStyle(picture.canvas).objectFit")
    page.keyboard.press("v")
    after = page.evaluate("getComputedStyle(picture.canvas).objectFit")
    page.keyboard.press("v")
    check(page.locator("#framing").is_hidden() or before != after, f"{what}: the key V changes between the whole picture and a full window")


# Makes a patch of the shown picture a spine, and later searches for it in all pixels, independently of the page's own result.
BECOMES_SPINE = """() => new Promise(done => { let isDone = false
    connection.show({ ...connection.state, spines: { isReading: true, items: [] , time: null } })
    picture.onDrawn(header => { if (isDone || !header || marks.trail.copies.length < 4) return; isDone = true
        const { width, height } = picture.canvas, box = window.box = [Math.round(width * 0.4), Math.round(height * 0.4), 160, 120]
        window.patch = picture.context.getImageData(...box).data
        const [u, v, w, h] = [box[0] / width, box[1] / height, box[2] / width, box[3] / height]
        connection.show({ ...connection.state, spines: { isReading: true, time: header.time, items: [{ id: '1', outline: [[u, v], [u + w, v], [u + w, v + h], [u, v + h]], title: 'It' }] } })
        done(header.time) }) })"""
WHERE_IT_IS = """() => new Promise(done => { let isDone = false
    picture.onDrawn(header => { if (isDone || !header) return; isDone = true
        const { width, height } = picture.canvas, { data } = picture.context.getImageData(0, 0, width, height), [left, top, w, h] = box
        let best = Infinity, place = null
        for (let y = top - 24; y <= top + 24; y += 2) for (let x = 0; x <= width - w; x++) { let sum = 0
            for (let row = 0; row < h && sum < best; row += 6) for (let column = 0; column < w; column += 4) sum += Math.abs(data[4 * ((y + row) * width + x + column) + 1] - patch[4 * (row * w + column) + 1])
            if (sum < best) [best, place] = [sum, [x, y]] }
        const outline = document.querySelector('[data-mark=spine]')?.getAttribute('points').split(' ')[0].split(',').map(Number)
        const shown = outline && marks.geometry().toPicture(...outline)
        // The way by another copy, as for two pictures with little in common.
        const { trail } = marks, from = trail.nearest(connection.state.spines.time), to = trail.copies.length - 1, middle = from + to >> 1, ways = shown && [[from, to], [from, middle], [middle, to]].map(pair => trail.way(...pair))
        const apart = ways?.every(Boolean) ? Math.max(...[0, 1].map(axis => Math.abs(ways[0][axis] - ways[1][axis] - ways[2][axis]) * [width, height][axis])) : 0
        done({ moved: place[0] - left, off: shown ? Math.max(Math.abs(shown[0] * width - place[0]), Math.abs(shown[1] * height - place[1])) : null, apart, likeness: best / (w * h / 24) }) }) })"""


def following(browser, work, what):
    """A shelf that a camera pans along."""
    with Server("corpus:shelf-pan?loop=1", os.path.join(work, what)) as server:
        page = open_page(browser, server)
        page.goto(server.url)
        live(page, what)
        furthest, found = 0, []
        for _ in range(3):
            page.evaluate(BECOMES_SPINE)
            for _ in range(16):
                place = page.evaluate(WHERE_IT_IS)
                if place["likeness"] > 12:
                    break
                found.append(place)
                furthest = max(furthest, abs(place["moved"]))
                shot(page, f"{what}-{furthest}")
                if furthest >= 300:
                    break
            off = [place["off"] for place in found if place["off"] is not None]
            if furthest >= 20 and off:
                break
        check(furthest >= 20 and off and max(off) <= 8, f"{what}: in {len(found)} pictures up to {furthest} pixels further an outline is on its book, or is not shown ({len(found) - len(off)} times; {max(off, default=-1):.1f} px off)")
        apart = max((place["apart"] for place in found), default=0)
        check(apart <= 8, f"{what}: nor is it elsewhere by way of a copy between ({apart:.1f} px)")
        page.evaluate("connection.show({ ...connection.state, spines: { ...connection.state.spines, time: 1 } })")
        seen(page, "document.querySelector('[data-mark=spine]') === null", f"{what}: where nobody can tell, it is not shown")
        page.context.close()
