"""The parts that the words of a record have by the truth: what `scripts/fit-parts` fits to."""
import collections
import re
import unicodedata

import numpy as np

TITLE, AUTHOR, OTHER = range(3)  # in the order of SpinePart.Role
EDITS = 0.1  # of the letters of a title that may be wrong
MOST = 0.8  # of the words of a title, that a record must have to be its


def folded(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text or "").lower() if not unicodedata.combining(c))


def words(text):
    return re.findall(r"\w+", folded(text))


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        following = [i]
        for j, y in enumerate(b, 1):
            following.append(min(row[j] + 1, following[-1] + 1, row[j - 1] + (x != y)))
        row = following
    return row[-1]


def same(a, b):
    """Whether two words are one, misread."""
    return a == b or max(len(a), len(b)) >= 4 and distance(a, b) <= max(len(a), len(b)) / 4


def holds(text, title):
    """The share of a title's words that a text has."""
    wanted = [w for w in words(title) if len(w) > 1] or words(title)
    have, joined = words(text), "".join(words(text))
    found = sum(1 for w in wanted if w in joined or any(distance(w, h) <= 0.2 * len(w) for h in have))
    return found / len(wanted) if wanted else 0


def surname(author):
    first = re.split(r"[;&/]| and | und | y ", author or "")[0]
    first = first.split(",")[0] if "," in first else first
    return (words(first) or [""])[-1]


def right(title, author, spine):
    """Whether the title is right, to EDITS of its letters, whole or up to its colon, both fields together have its words, and the author has the surname of the spine's, or none has one."""
    forms = [spine["title"], re.split(r" ?: | - ", spine["title"])[0]]
    read = "".join(words(title))
    near = any(distance(read, "".join(words(f))) <= EDITS * max(len(read), len("".join(words(f)))) for f in forms)
    near = near and holds(f"{title} {author or ''}", spine["title"]) >= MOST
    name = surname(spine.get("author"))
    named = holds(author or "", name) == 1 if name else not author
    return near, bool(named)


def pair(photo):
    """Gives each record the spine that it holds most of, each spine to one record."""
    for record in photo["records"]:
        record["spine"] = None
    texts = [" ".join(w["text"] for w in r["words"]) for r in photo["records"]]
    pairs = sorted(
        ((holds(t, s["title"]), -len(t), i, j) for i, t in enumerate(texts) for j, s in enumerate(photo["spines"])),
        reverse=True)
    taken = set()
    for share, _, i, j in pairs:
        if share >= MOST and photo["records"][i]["spine"] is None and j not in taken:
            taken.add(j)
            photo["records"][i]["spine"] = photo["spines"][j]


def roles(record, complete):
    """By word the roles that it may have, by the words of its spine; None where no word is of the title."""
    spine, tokens = record["spine"], record["words"]
    pools = {TITLE: collections.Counter(words(re.sub(r"\([^)]*\)", " ", spine["title"]))), AUTHOR: collections.Counter(words(spine.get("author")))}
    joined = {role: "".join(pool.elements()) for role, pool in pools.items()}
    found = [None] * len(tokens)

    def take(role, soft, wanted):
        for i, token in enumerate(tokens):
            if found[i] is not None or not wanted(i):
                continue
            parts = words(token["text"])
            hit = next((k for p in parts for k, n in pools[role].items() if n > 0 and (p == k or soft and same(p, k))), None)
            whole = "".join(parts)
            if hit is None and not (soft and len(whole) >= 5 and (whole in joined[role] or 5 <= len(joined[role]) and joined[role] in whole)):
                continue
            if hit is not None:
                pools[role][hit] -= 1
            found[i] = role

    def on_lines_of(role):
        lines = {tokens[i]["line"] for i in range(len(tokens)) if found[i] == role}
        return lambda i: tokens[i]["line"] in lines

    is_long = lambda i: len("".join(words(tokens[i]["text"]))) > 3
    for soft in (False, True):
        for role in (TITLE, AUTHOR):
            take(role, soft, is_long)
    for soft in (False, True):
        for role in (TITLE, AUTHOR):
            take(role, soft, on_lines_of(role))
    for role in (TITLE, AUTHOR):
        take(role, False, lambda i: True)
    if TITLE not in found:
        return None
    grow(found, tokens)
    mask = np.zeros((len(tokens), 3), bool)
    for i, role in enumerate(found):
        mask[i, OTHER if role is None else role] = True
        if role is None and not spine.get("author") and not complete:
            mask[i, AUTHOR] = True  # nobody wrote down the author
    return mask


def grow(found, tokens):
    """The truth often has only the surname: given names and initials beside it are the author's, too."""
    lines = collections.defaultdict(list)
    for i, token in enumerate(tokens):
        lines[token["line"]].append(i)
    for places in lines.values():
        if AUTHOR not in [found[i] for i in places]:
            continue
        plain = TITLE not in [found[i] for i in places] and len(places) <= 5
        for i in places:
            features = tokens[i]["features"]
            if found[i] is not None:
                continue
            beside = any(abs(i - k) == 1 and found[k] == AUTHOR for k in places)
            if plain and not features.get("t.pub") or beside and (features.get("t.given") or features.get("t.initial") or features.get("t.conn")):
                found[i] = AUTHOR
