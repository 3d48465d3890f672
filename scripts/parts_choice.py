"""What is measured of one way to give the words of a record their parts, and the choice among ways, as LabellingMeasure, PartReading and PartWay have them."""
import math
import re

import numpy as np
from parts_field import log_sum
from parts_truth import AUTHOR, EDITS, OTHER, TITLE, right
from scipy.optimize import minimize

PENALTY = 0.5  # of the squares of the weights
MOST, GAIN_OF_TITLE, GAIN_OF_WORDS = 0.8, 1.0, 2.0  # as PartWay
NAMES = (
    "post T2 A2 cut mixTO Oarea nT1 nT8 Tspread Tarea Tink Tname Tendfunc Tfunc Tpub Tdig Tns nA1 nA23 nA5 Agiven Aname Ans Afunc TAink noA Ofunc Owords "
    "Obig Otall Atall Opair Tpair Apair Tonlypair Apub Apraise Amis Aword Omid Fcut cutTight TTgap").split()


def text(record, way, role):
    """As PartReading.text."""
    kept = [w["text"] for w, r in zip(record["words"], way) if r == role]
    ornament = lambda word: not re.search(r"[^·•–—\-_~.,:;'‘’`\"*°<>=^/\\|]", word)
    while kept and ornament(kept[0]):
        kept.pop(0)
    while kept and ornament(kept[-1]):
        kept.pop()
    return " ".join(kept).strip("/\\|").rstrip(",;:-–— ")


def named(record, way):
    """As PartReading.named."""
    lettered = {role: any(c.isalpha() for c in text(record, way, role)) for role in (TITLE, AUTHOR)}
    way, is_end = list(way), lettered[TITLE]
    for i in reversed(range(len(way))):
        word, is_title = record["words"][i]["text"], way[i] == TITLE
        is_order = is_title and is_end and bool(re.fullmatch(r"(?!(1[5-9]|20)\d\d$)\d{4,}", word, re.ASCII))
        is_end = is_order if is_title else is_end
        is_price = is_title and lettered[TITLE] and re.fullmatch(r"[$£€¥]?\s?\d{1,4}[.,]\d\d\s?[$£€¥]?", word, re.ASCII)
        if is_order or is_price or way[i] == AUTHOR and not lettered[AUTHOR]:
            way[i] = OTHER
    return way


def fields(record, way):
    """Title and author."""
    way = named(record, way)
    return text(record, way, TITLE), text(record, way, AUTHOR)


def whole(record, way, probability):
    """As LabellingMeasure."""
    tokens, inks = record["words"], np.array(record["inks"])
    features = [w["features"] for w in tokens]
    value = lambda i, name: features[i].get(name, 0)
    places = {role: [i for i, r in enumerate(way) if r == role] for role in range(3)}
    lines = {role: {tokens[i]["line"] for i in places[role]} for role in range(3)}
    told = [r for r in way if r != OTHER]
    starts = [r for i, r in enumerate(told) if i == 0 or told[i - 1] != r]
    area, height = record["areas"], record["heights"]
    named = lambda i: value(i, "t.nameish") or value(i, "t.initial")
    name = lambda indices: sum(0 if value(i, "t.func") or value(i, "t.initial") else value(i, "t.ns") for i in indices) / max(1, len(indices))
    result = {
        "post": max(-6, max(math.log(1e-9), probability)) / 3, "T2": starts.count(TITLE) >= 2, "A2": starts.count(AUTHOR) >= 2,
        "cut": sum(way[i] != way[i - 1] and tokens[i]["line"] == tokens[i - 1]["line"] for i in range(1, len(way))),
        "mixTO": len(lines[TITLE] & lines[OTHER]), "Oarea": sum(area[k] for k in lines[OTHER] - lines[TITLE] - lines[AUTHOR])}
    cuts = [tokens[i]["step"] for i in range(1, len(way)) if way[i] != way[i - 1] and "same" in tokens[i]["step"]]
    result["cutTight"] = sum(step.get("same.wide", 0) <= 0.1 and not step.get("same.brk") for step in cuts)
    result["TTgap"] = sum(tokens[i]["step"].get("new.gap", 0) for i in range(1, len(way)) if way[i] == way[i - 1] == TITLE)
    title, author, rest = places[TITLE], places[AUTHOR], [i for i in places[OTHER] if not record["marked"][i]]
    tall = lambda role: max((height[k] for k in (lines[role] if role != OTHER else lines[OTHER] - lines[TITLE] - lines[AUTHOR])), default=-1.6)
    begins = lambda i: value(i, "t.pair1") or value(i, "t.turns1")
    loose = lambda i: not (value(i, "t.pub") or value(i, "t.ed") or value(i, "t.praise"))
    large = [i for i in range(len(way)) if value(i, "L.big")]
    result.update({
        "Ofunc": sum(bool(value(i, "t.func")) for i in rest) / 3, "Owords": sum(bool(value(i, "t.word")) and loose(i) for i in rest) / 3,
        "Obig": sum(way[i] == OTHER for i in large) / max(1, len(large)), "Otall": max(0, tall(OTHER) - tall(TITLE)), "Atall": max(0, tall(AUTHOR) - tall(TITLE)),
        "Opair": any(begins(i) and loose(i) for i in rest), "Tpair": any(begins(i) for i in title), "Apair": any(begins(i) for i in author),
        "Apub": sum(bool(value(i, "t.pub")) for i in author), "Apraise": sum(bool(value(i, "t.praise")) for i in author),
        "Tonlypair": any(begins(i) for i in title) and not any(begins(i) for i in author),
        "Fcut": sum(bool(value(i, "t.func")) and not value(i, "t.conn") and not value(i, "t.by") and way[i] != way[i + 1] for i in range(len(way) - 1)),
        "Aword": sum(bool(value(i, "t.word")) for i in author) / 3,
        "Amis": sum(bool(value(i, "t.misread")) for i in author),
        "Omid": sum(title[0] < i < title[-1] for i in rest) / 2 if title else 0})
    if title:
        heights = [height[k] for k in lines[TITLE]]
        result.update({
            "nT1": len(title) == 1, "nT8": max(0, len(title) - 7) / 4, "Tspread": max(heights) - min(heights), "Tarea": sum(area[k] for k in lines[TITLE]),
            "Tink": max(np.linalg.norm(inks[a] - inks[b]) for a in lines[TITLE] for b in lines[TITLE]) / 60, "Tname": all(named(i) for i in title),
            "Tendfunc": value(title[-1], "t.func"), "Tfunc": any(value(i, "t.func") for i in title), "Tpub": sum(value(i, "t.pub") for i in title),
            "Tdig": sum(value(i, "t.digit") for i in title), "Tns": name(title)})
    if author:
        between = [np.linalg.norm(inks[a] - inks[b]) for a in lines[TITLE] for b in lines[AUTHOR]]
        result.update({
            "nA1": len(author) == 1, "nA23": 2 <= len(author) <= 3, "nA5": max(0, len(author) - 4) / 3, "Agiven": any(value(i, "t.given") for i in author),
            "Aname": sum(1 for i in author if named(i)) / len(author), "Ans": name(author),
            "Afunc": sum(1 for i in author if value(i, "t.func") and not value(i, "t.conn") and not value(i, "t.by")), "TAink": min(between, default=0) / 60})
    else:
        result["noA"] = 1
    return {k: float(v) for k, v in result.items()}


class Choice:
    def __init__(self, records):
        samples = [(r["weight"], r["whole"], r["good"]) for r in records if r.get("good") is not None]

        def loss(theta):
            value, gradient = PENALTY / 2 * theta @ theta, PENALTY * theta
            for weight, features, good in samples:
                scores = features @ theta
                odds = np.exp(scores - scores.max())
                right_ = odds * good
                value += weight * (math.log(odds.sum()) - math.log(right_.sum()))
                gradient = gradient + weight * (features.T @ (odds / odds.sum() - right_ / right_.sum()))
            return value, gradient

        self.theta = minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x

    def best(self, record):
        """The best way, the probability of all that give its title and author, and by the field alone of all by which they are right or nearly so."""
        scores = record["whole"] @ self.theta
        shares = np.exp(scores - log_sum(scores, 0))
        best = int(gains(record, shares).argmax())
        told = [(text(record, way, TITLE), text(record, way, AUTHOR)) for way, _ in record["ways"]]
        way = record["ways"][best][0]
        close = sum(math.exp(p) for other, p in record["ways"] if near(record, way, other))
        return way, sum(p for p, pair in zip(shares, told) if pair == told[best]), close


def near(record, way, other):
    """As PartWay.isNear."""
    letters = [sum(c.isalnum() for c in word["text"]) for word in record["words"]]
    longest = max(sum(n for n, r in zip(letters, w) if r == TITLE) for w in (way, other))
    differ = sum(n for n, a, b in zip(letters, way, other) if (a == TITLE) != (b == TITLE))
    end = max((i for i, r in enumerate(other) if r == AUTHOR), default=None)
    return differ <= EDITS * longest and (AUTHOR not in way if end is None else way[end] == AUTHOR)


def gains(record, shares):
    """What each way is worth to be chosen: how likely title and author are right, the title, and all words of the title in one of them."""
    ways = np.array([way for way, _ in record["ways"]])
    titles, authors = ways == TITLE, ways == AUTHOR
    same_title = (titles[:, None] == titles).all(2)
    same = same_title & (authors[:, None] == authors).all(2)
    held = ((ways != OTHER)[:, None] & titles).sum(2) >= MOST * titles.sum(1)
    return (same + GAIN_OF_TITLE * same_title + GAIN_OF_WORDS * held) @ shares


def look(record, field):
    """The ways of a record by a field, what is measured of them, and which of them are right."""
    record["ways"] = field.ways(record)
    measured = [whole(record, way, probability) for way, probability in record["ways"]]
    record["whole"] = np.array([[m.get(name, 0) for name in NAMES] for m in measured])
    record["good"] = None
    if record["spine"]:
        known = record.setdefault("known", {})  # what was judged before
        told = [fields(record, way) for way, _ in record["ways"]]
        known.update({pair: right(*pair, record["spine"]) for pair in set(told) - set(known)})
        judged = [known[pair] for pair in told]
        good = np.array([float(t and a) for t, a in judged])
        good = good if good.any() else np.array([float(t) for t, _ in judged])
        record["good"] = good if good.any() else None
