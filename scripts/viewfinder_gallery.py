"""What check-viewfinder tries of the gallery: from the thumbnail through photos and films, about them, shared, deleted and brought back."""
import os

from browsing import axe, attempt, check
from viewfinder_browsing import Server, await_true, live, open_page, seen, settled, shot, shown_at

WIDTHS = ((360, 780), (780, 360), (375, 667), (667, 375), (768, 1024), (1024, 768), (1440, 900), (900, 1440), (2560, 1440))
ITEM = "gallery.element.open && gallery.item?.name === %s"


def pictures(server):
    return sorted(name for name in os.listdir(server.photos) if name.startswith("photo-"))


def recorded(page, codec):
    before = page.evaluate("connection.state.recordings.map(({ name }) => name)")
    page.evaluate("codec => connection.command('startRecording', { codec })", codec)
    await_true(page, "connection.state.recording.written > 15")
    page.evaluate("connection.command('stopRecording')")
    await_true(page, "before => !before.includes(connection.state.recordings[0]?.name) && gallery.items.at(-1).name === connection.state.recordings[0].name", before)
    return page.evaluate("connection.state.recordings[0].name")


def galleries(browser, work, what):
    with Server("sensor:640x360@30", os.path.join(work, what)) as server:
        page = open_page(browser, server)
        page.goto(server.url)
        live(page, what)
        for count in range(1, 4):
            page.evaluate("connection.command('takePhoto')")
            await_true(page, "count => gallery.photos.length === count", count)
        film = recorded(page, "h264")
        for look in (moved, about, shared, deleted, closed):
            attempt(look, page, server, film, what)
        attempt(kept, browser, server, what)
        attempt(unplayable, page, what)
        page.context.close()
        attempt(laid, browser, server, what)


def moved(page, server, film, what):
    names = pictures(server)
    check(page.locator("#last-photo").get_attribute("aria-label") == "Gallery, 4 photos and films", f"{what}: the button of the gallery says how many there are")
    page.locator("#last-photo").click()
    seen(page, "name => gallery.isOpen && gallery.item.name === name && document.activeElement.id === 'gallery-view' && document.getElementById('gallery-title').textContent === '4 of 4'", f"{what}: it opens the newest", film)
    plays = page.evaluate("document.createElement('video').canPlayType('video/mp4; codecs=\"avc1.640028\"')")
    if plays:
        seen(page, "document.querySelector('#gallery video')?.videoWidth > 0", f"{what}: a film is there to be played")
        page.evaluate("document.querySelector('#gallery video').play()")
        seen(page, "document.querySelector('#gallery video').currentTime > 0.2", f"{what}: and is played")
    count = page.evaluate("connection.state.photos.count")
    for key in ("ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    seen(page, "name => gallery.item.name === name && document.querySelector('#gallery-view img')?.naturalWidth > 0", f"{what}: an arrow to the left goes to an older one", names[1])
    shot(page, f"{what}-photo")
    page.keyboard.press("Home")
    seen(page, "name => gallery.item.name === name && document.querySelector('[aria-label=Older]').disabled", f"{what}: Home is the oldest", names[0])
    box = page.locator("#gallery-view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(dx, dy):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx / 2, y + dy / 2)
        page.mouse.move(x + dx, y + dy)
        page.mouse.up()
    drag(-60, 5)
    seen(page, "name => gallery.item.name === name", f"{what}: a swipe to the left goes to a newer one", names[1])
    drag(-30, 0)
    settled(page)
    check(page.evaluate("gallery.item.name") == names[1], f"{what}: one of 30 pixels does nothing")
    drag(60, 0)
    seen(page, "name => gallery.item.name === name", f"{what}: to the right, to an older one", names[0])
    page.get_by_role("button", name="Newer").click()
    seen(page, "name => gallery.item.name === name", f"{what}: and so do the buttons", names[1])
    page.locator("#gallery-view").focus()
    page.keyboard.press("Space")
    page.evaluate("connection.command('setOverlay', { visible: false })")
    check(page.evaluate("connection.state.photos.count") == count, f"{what}: the keys of the viewfinder do nothing meanwhile")
    held = page.evaluate("[...gallery.files.keys()].length")
    check(held <= 5, f"{what}: only the shown one and its neighbours are held ({held})")


def about(page, server, film, what):
    page.keyboard.press("i")
    seen(page, "document.querySelectorAll('#gallery-facts dd').length > 20", f"{what}: the key I tells about it")
    told = page.locator("#gallery-facts").inner_text()
    report = page.evaluate("gallery.report(gallery.item)")
    wanted = [f"{report['width']} × {report['height']}", "kB", pictures(server)[1], "EV", "Gemini 3", "Claude", "GPT"]
    missing = [text for text in wanted if text not in told]
    check(not missing and report["exposureDuration"] > 0 and f"1/{round(1 / report['exposureDuration'])} s" in told and f"ISO {round(report['iso'])}" in told, f"{what}: when, exposure, size and what models pay ({missing})")
    check(all(f"{price['tokens']:,}" in told.replace("\u202f", ",") for price in report["tokens"] if price["id"] in ("claude", "gpt-6")), f"{what}: with the engine's numbers")
    shot(page, f"{what}-about")
    page.keyboard.press("End")
    seen(page, "/00:00:0/.test(document.getElementById('gallery-facts').textContent) && /H.264/.test(document.getElementById('gallery-facts').textContent) && !/Invalid/.test(document.getElementById('gallery-facts').textContent)", f"{what}: of a film, its length and codec")
    page.keyboard.press("i")
    check(page.locator("#gallery-facts").is_hidden(), f"{what}: and hides it again")


def shared(page, server, film, what):
    """This Chromium shares no files, so the first is saved; then sharing is played."""
    page.keyboard.press("Home")
    with page.expect_download() as waiting:
        page.keyboard.press("s")
    saved = open(waiting.value.path(), "rb").read()
    check(waiting.value.suggested_filename == pictures(server)[0] and saved == open(os.path.join(server.photos, pictures(server)[0]), "rb").read(), f"{what}: the key S saves the photo where files cannot be shared")
    page.evaluate("window.given = []; navigator.canShare = () => true; navigator.share = async ({ files }) => { given.push(files[0].name, files[0].type, files[0].size) }; gallery.canShare = true; 0")
    page.get_by_role("button", name="Save").click()
    seen(page, "size => given[1] === 'image/jpeg' && given[2] === size", f"{what}: and shares it where they can", len(saved))
    page.evaluate("delete navigator.canShare; delete navigator.share; gallery.canShare = false; 0")


def deleted(page, server, film, what):
    names = pictures(server)
    page.keyboard.press("End")
    page.get_by_role("button", name="Older").focus()
    page.keyboard.press("Home")
    check(page.evaluate("document.activeElement.id") == "gallery-view", f"{what}: keys go on where a button is disabled under the finger")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    seen(page, "document.getElementById('gallery-title').textContent === '2 of 3' && document.getElementById('gallery-deleted').checkVisibility()", f"{what}: what is deleted is gone, its neighbour is shown, and it can be brought back")
    check(pictures(server) == [names[0], names[2]] and page.evaluate("gallery.item.name") == names[2], f"{what}: its file is gone")
    shot(page, f"{what}-deleted")
    page.keyboard.press("End")
    page.get_by_role("button", name="Delete").click()
    seen(page, "gallery.items.length === 2 && / and 1 more/.test(document.getElementById('gallery-deleted').textContent)", f"{what}: a film is deleted too")
    page.get_by_role("button", name="Undo").click()
    seen(page, "name => gallery.item?.name === name", f"{what}: undo brings the film back", film)
    page.keyboard.press("z")
    seen(page, "name => gallery.item?.name === name && document.querySelector('#gallery-view img')?.naturalWidth > 0", f"{what}: and then the photo", names[1])
    check(pictures(server) == names and not page.locator("#gallery-deleted").is_visible(), f"{what}: their files are back")


def closed(page, server, film, what):
    page.keyboard.press("Escape")
    seen(page, "!gallery.isOpen && document.activeElement.id === 'last-photo' && gallery.files.size <= 2", f"{what}: Escape closes it, and holds nothing")
    page.keyboard.press("g")
    seen(page, "gallery.isOpen", f"{what}: the key G opens it")
    page.keyboard.press("g")
    seen(page, "!gallery.isOpen", f"{what}: and closes it")


def kept(browser, server, what):
    """What was deleted can be brought back by a page that was opened later."""
    first = open_page(browser, server)
    first.goto(server.url)
    live(first, what)
    names = pictures(server)
    first.evaluate("name => connection.command('deletePhoto', { name })", names[0])
    await_true(first, "connection.state.deleted.length === 1")
    first.context.close()
    later = open_page(browser, server)
    later.goto(server.url)
    live(later, what)
    later.locator("#last-photo").click()
    later.get_by_role("button", name="Undo").click()
    seen(later, "name => gallery.item?.name === name", f"{what}: a page that is opened later brings back what another has deleted", names[0])
    check(pictures(server) == names, f"{what}: and its file")
    hostile = "<img src=x onerror=alert(1)>.mp4"
    open(os.path.join(server.work, "films", hostile), "wb").close()
    later.evaluate("connection.command('startRecording', {}).then(() => connection.command('stopRecording'))")
    await_true(later, "name => gallery.items.some(item => item.name === name)", hostile)
    later.evaluate("name => { gallery.go(gallery.items.findIndex(item => item.name === name)); gallery.facts.hidden = false; gallery.describe() }", hostile)
    seen(later, "name => document.getElementById('gallery-facts').textContent.includes(name) && !document.querySelector('#gallery img[src=x]')", f"{what}: a name is text", hostile)
    os.remove(os.path.join(server.work, "films", hostile))
    later.context.close()


def unplayable(page, what):
    """Motion JPEG is played by no browser; what it may be able to play, and cannot, it says when it has tried."""
    name = recorded(page, "mjpeg")
    page.keyboard.press("g")
    seen(page, "name => gallery.item.name === name && document.querySelector('#gallery [role=alert]')?.checkVisibility() && !document.querySelector('#gallery video')", f"{what}: a film that this browser does not play is not opened without a word", name)
    text = page.locator("#gallery [role=alert]").inner_text()
    check(name in text and "Motion JPEG" in text and page.get_by_role("button", name="Save").is_enabled(), f"{what}: it says which and why, and it can be saved")
    shot(page, f"{what}-unplayable")
    page.route("**/recordings/*.mp4?ticket=*", lambda route: route.fulfill(status=200, content_type="video/mp4", body=b"no film at all"))
    other = recorded(page, "h264")
    page.keyboard.press("End")
    seen(page, "name => gallery.item.name === name && document.querySelector('#gallery [role=alert]')?.checkVisibility() && !document.querySelector('#gallery video')", f"{what}: what it cannot play after all is told too", other)
    page.keyboard.press("Escape")
    page.unroute("**/recordings/*.mp4?ticket=*")


def laid(browser, server, what):
    page = open_page(browser, server, bypass_csp=True)
    page.goto(server.url)
    live(page, what)
    await_true(page, "gallery.photos.length > 1")
    page.evaluate("connection.command('deletePhoto', { name: gallery.photos[0].name })")
    await_true(page, "connection.state.deleted.length === 1")
    page.locator("#last-photo").click()
    page.keyboard.press("Home")
    for facts in (False, True):
        if facts:
            page.keyboard.press("i")
            await_true(page, "document.querySelectorAll('#gallery-facts dd').length > 20")
        for width, height in WIDTHS:
            shown_at(page, width, height)
            over = page.evaluate("""[...document.querySelectorAll('#gallery button, #gallery h2, #gallery-view > *, #gallery-deleted, #gallery-facts')].filter(node => node.checkVisibility({ visibilityProperty: true }))
                .map(node => [node, node.getBoundingClientRect()]).filter(([, box]) => box.width && (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1)).map(([node]) => node.id || node.title || node.localName)""")
            high = page.evaluate("document.getElementById('gallery-view').getBoundingClientRect().height / innerHeight")
            small = page.evaluate("[...document.querySelectorAll('#gallery button')].filter(node => node.checkVisibility({ visibilityProperty: true })).filter(node => node.offsetWidth < 44 || node.offsetHeight < 44).length")
            name = f"{what}-{'about' if facts else 'view'}-{width}x{height}"
            check(not over and high > 0.3 and small == 0, f"{name}: all of it is within the window, the picture is large, buttons have 44 pixels ({over[:3]}, {high:.2f}, {small})")
            shot(page, name)
    page.set_viewport_size({"width": 375, "height": 667})
    axe(page, f"{what}: gallery")
    page.context.close()
