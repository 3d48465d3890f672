"""What check-viewfinder tries of what can be chosen and what cannot: the source, looks, and every control by the key Tab."""
import glob, os

from browsing import attempt, check
from viewfinder_browsing import Server, await_true, live, open_page, seen, settled, shot, shown_at


def unnamed_source(browser, work, what):
    """Nobody has named a source."""
    with Server(None, os.path.join(work, what)) as server:
        page = open_page(browser, server)
        page.goto(server.url)
        live(page, what)
        unnamed(page, server, what)
        page.evaluate("panels.begin('camera')")
        seen(page, "document.getElementById('panel-body').textContent.includes('name a .cube file in Settings')", f"{what}: where a look comes from is told, as none is known")
        page.context.close()


def unnamed(page, server, what):
    server.said.seek(0)
    said, reason = server.said.read(), page.evaluate("connection.state.camera.reason")
    if glob.glob("/dev/video*"):
        check(reason and reason in said, f"{what}: the terminal says which source it is")
    else:
        check("no camera was found" in reason and f"note: {reason}" in said, f"{what}: the terminal says that it is a recording, and why")
        seen(page, "document.getElementById('session-line').checkVisibility() && document.getElementById('session-line').textContent === connection.state.camera.reason", f"{what}: so does the page")
    page.evaluate("connection.command('setOverlay', { visible: true })")
    await_true(page, "!document.getElementById('overlay').hidden")
    shown_at(page, 375, 667)
    shot(page, what)
    covered(page, f"{what}, at 375 by 667")
    page.keyboard.press("x")
    reasons = page.evaluate("[...document.querySelectorAll('#panel-body .why:not(:empty):not(.unseen)')].map(why => why.textContent)")
    check(0 < len(reasons) == len(set(reasons)), f"{what}: a reason for all rows of a panel is seen once ({len(reasons)} reasons)")


def covered(page, what):
    """Whether something lies over a control, or two texts over each other."""
    over = page.evaluate("""[...document.querySelectorAll('#stage > :not(#surface) *')].filter(node => node.matches('button, a[href], [tabindex="0"], output, p') && node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1 && !node.closest('#panel-body'))
        .filter(node => { const box = node.getBoundingClientRect(), top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2); return !top || !(node.contains(top) || top.contains(node) && !['surface', 'stage'].includes(top.id)) }).map(node => node.id || node.textContent)""")
    check(not over, f"{what}: nothing lies over a control" + (f": {over[:4]}" if over else ""))
    crossed = page.evaluate("""(() => { const boxes = ['session-line', 'timecode', 'overlay', 'ended', 'notice', 'shutter-reason', 'zoom', 'wheel', 'menu', 'taking', 'panel'].map(id => document.getElementById(id)).filter(node => node.checkVisibility({ visibilityProperty: true })).map(node => [node.id, node.getBoundingClientRect()]).filter(([, box]) => box.width && box.height)
        return boxes.flatMap(([a, p], index) => boxes.slice(index + 1).filter(([, q]) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1).map(([b]) => `${a} and ${b}`)) })()""")
    check(not crossed, f"{what}: nothing crosses another" + (f": {crossed[:4]}" if crossed else ""))


def reachable(page, what):
    """The key Tab comes to every control that can be used, in each window, and none of them lies under another."""
    page.evaluate("connection.command('setOverlay', { visible: true })")
    await_true(page, "!document.getElementById('overlay').hidden")
    for width, height in ((375, 667), (667, 375), (1440, 900)):
        page.evaluate("wheel.appear(true); say('A sentence that is told for a while.'); clearTimeout(toastTimer)")
        shown_at(page, width, height)
        shot(page, f"{what}-all-{width}")
        covered(page, f"{what}, at {width} by {height}")
        page.keyboard.press("x")
        settled(page)
        covered(page, f"{what}, at {width} by {height} beside a panel")
        check(page.locator("#notice").is_visible(), f"{what}: what is told is seen beside a panel, at {width} by {height}")
        page.keyboard.press("Escape")
        count = page.evaluate("""(() => { const all = [...document.querySelectorAll('button, a[href], input, select, video, [tabindex="0"]')].filter(node => !node.disabled && node.checkVisibility({ visibilityProperty: true }))
            all.forEach((node, index) => { node.dataset.stop = index }); document.activeElement.blur(); return all.length })()""")
        come = set()
        for _ in range(count + 3):
            page.keyboard.press("Tab")
            come.add(page.evaluate("document.activeElement.dataset.stop ?? null"))
        missing = page.evaluate("come => [...document.querySelectorAll('[data-stop]')].filter(node => !come.includes(node.dataset.stop)).map(node => node.id || node.textContent)", [stop for stop in come if stop])
        page.evaluate("document.querySelectorAll('[data-stop]').forEach(node => { delete node.dataset.stop })")
        check(not missing, f"{what}: the key Tab comes to all {count} controls at {width} by {height}" + (f", but {missing[:4]}" if missing else ""))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate("wheel.appear(false); connection.command('setOverlay', { visible: false }); say('')")


def unreadable_look(page, server, what):
    folder = os.path.join(server.work, "config/swiftwing/looks")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "broken.cube"), "w") as file:
        file.write("LUT_1D_SIZE 2\n0 0 0\n")
    page.keyboard.press("c")
    await_true(page, "connection.state.look.looks.includes('broken.cube')")
    page.get_by_label("Look", exact=True).select_option("broken.cube")
    seen(page, "/The look broken.cube cannot be used: /.test(document.getElementById('panel-body').textContent) && document.querySelector('#panel-body select:nth-of-type(1)') !== null", f"{what}: a look that cannot be read says so where it is chosen")
    shot(page, f"{what}-look")
    check(page.get_by_label("Look", exact=True).input_value() == "", f"{what}: and is not shown as chosen")
    page.evaluate("connection.command('setLook', { name: null })")
    os.remove(file.name)
    page.keyboard.press("Escape")


def held_by_priority(page, what):
    """Shutter priority holds the exposure: the wheel says so, and so does everything else that would be refused."""
    page.evaluate("connection.command('shutterPriority', { on: true })")
    seen(page, "wheel.isDisabled && /hutter priority is on/.test(document.getElementById('wheel-reason').textContent)", f"{what}: shutter priority disables the wheel, and it says why")
    page.keyboard.press("x")
    for label in ("ISO", "Shutter", "Exposure lock"):
        check(page.get_by_label(label, exact=True).is_disabled(), f"{what}: and {label}")
    page.keyboard.press("Escape")
    page.evaluate("connection.command('shutterPriority', { on: false })")
    seen(page, "!wheel.isDisabled", f"{what}: until it is off")


def choices(page, server, what):
    for look in (held_by_priority, reachable):
        attempt(look, page, what)
    attempt(unreadable_look, page, server, what)
