"""What check-viewfinder asks of the books in the page: one of a real library is corrected there."""
import json, os, subprocess

from browsing import PROGRAM, axe, check, listen
from viewfinder_browsing import Server, live, open_page, seen, settled, shot, shown_at


def books(browser, work, what):
    place = os.path.join(work, what, "books")
    os.makedirs(place)

    def library(*words):
        return subprocess.run([PROGRAM, "library", *words, "--library", place], check=True, capture_output=True, text=True).stdout

    for name in ("Jane Eire / Charlotte Brontë", "Emma <b> / Jane Austen"):
        library("add", name)
    with Server("simulated:640x360@30", os.path.join(work, what), options=("--library", place)) as server:
        page = open_page(browser, server, bypass_csp=True)
        _, errors = listen(page)
        page.goto(server.url)
        live(page, what)
        tapped = "document.getElementById('spine').querySelector('button')?.getAttribute('aria-label') === "
        page.evaluate("showSpine({ title: 'Jane Eire', certainty: 'look at it' })")
        seen(page, f"{tapped} 'Correct Jane Eire'", f"{what}: a spine that is tapped before the panel was ever open is known to be in the library")
        page.evaluate("panels.close()")
        page.keyboard.press("b")
        shown_at(page, 360, 640)
        page.locator("ul").get_by_role("button", name="Correct Jane Eire").click()
        seen(page, "(({ top, bottom }, panel) => top >= panel.top && bottom <= panel.bottom)(document.querySelector('#correction .buttons').getBoundingClientRect(), document.getElementById('panel').getBoundingClientRect())", f"{what}: on a telephone the form opens with its buttons in view")
        check(page.evaluate("document.activeElement.id === 'book-title' && document.activeElement.value === 'Jane Eire'"), f"{what}: a book of the list opens for correction, its title first")
        for width, height in ((360, 640), (667, 375), (1440, 900)):
            shown_at(page, width, height)
            page.locator("#book-title").scroll_into_view_if_needed()
            outside = page.evaluate("""[...document.querySelectorAll('#correction input, #correction button')].map(node => node.getBoundingClientRect())
                .filter(({ left, right }) => left < document.getElementById('panel').getBoundingClientRect().left || right > document.getElementById('panel').getBoundingClientRect().right).length""")
            check(outside == 0 and page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: the form is within its panel at {width} by {height}")
            shot(page, f"{what}-{width}")
        settled(page)
        axe(page, f"{what}, correcting")
        page.locator("#book-title").fill("")
        page.keyboard.type("Jane Eyre, rs")
        page.locator("#book-title").fill("Jane Eyre")
        page.keyboard.press("Enter")
        seen(page, "document.getElementById('correction').hidden && connection.state.library.newest.some(({ title, author, certainty }) => title === 'Jane Eyre' && author === 'Charlotte Brontë' && certainty === 'sure')", f"{what}: saved, the list has the new title and the old author")
        seen(page, "document.activeElement.getAttribute('aria-label') === 'Correct Jane Eyre'", f"{what}: and the list goes on where it was, at that book")
        page.evaluate("showSpine({ title: 'Jane Eire', certainty: 'look at it' })")
        seen(page, f"{tapped} 'Correct Jane Eyre'", f"{what}: the spine that is still read wrongly leads to the corrected book")
        check(page.evaluate("connection.state.isRecording") is False, f"{what}: what was typed had no other effect")
        stored = [(book["title"], book["author"]) for book in json.loads(library("list", "--json"))["books"]]
        check(("Jane Eyre", "Charlotte Brontë") in stored and len(stored) == 2, f"{what}: and so has the library ({stored})")
        page.get_by_role("button", name="Correct Emma <b>").click()
        page.locator("#book-title").fill(" ")
        page.keyboard.press("Enter")
        seen(page, "document.getElementById('notice').textContent.includes('title') && !document.getElementById('correction').hidden", f"{what}: a book without a title is refused, and says why")
        page.get_by_role("button", name="Cancel").click()
        check(page.evaluate("document.getElementById('correction').hidden && document.activeElement.getAttribute('aria-label') === 'Correct Emma <b>' && connection.state.library.newest.some(({ title }) => title === 'Emma <b>')"), f"{what}: cancelled, the book stays as it is")
        shown_at(page, 667, 375)
        last = page.get_by_role("button", name="Correct", exact=False).last
        last.click()
        before = page.evaluate("shelf.place")
        page.get_by_role("button", name="Cancel").click()
        check(before > 0 and page.evaluate("find('panel-body').scrollTop") == before, f"{what}: a list that was scrolled stays where it was ({before})")
        check(not errors, f"{what}: the browser complains of nothing" + (f": {errors[0][:300]}" if errors else ""))
        page.context.close()
    with Server("simulated:640x360@30", os.path.join(work, what)) as server:
        page = open_page(browser, server)
        page.goto(server.url)
        live(page, what)
        answer = page.evaluate("connection.command('editBook', { id: 1, title: 'Dune' })")
        check(answer["status"] == "refused" and "--library" in answer["reason"], f"{what}: without a library the command says how to get one")
        page.context.close()
