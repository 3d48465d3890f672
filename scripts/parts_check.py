"""Holds parts_field, parts_choice and parts_truth to sums over every way of small made-up records: `scripts/fit-parts --check`."""
import itertools

import numpy as np
from parts_choice import fields, gains, near
from parts_field import PENALTY, WAYS, Batch, Field, log_sum
from parts_truth import AUTHOR, OTHER, TITLE, right, roles

SIZE = (4, 2)  # features of a word, and of a step


def check():
    """Tells which differ; 1 where one does, else 0."""
    checks = {"sums over all ways": sums, "slope of the loss": slope, "likeliest ways": ways, "roles by a truth": truth, "what is right": judged, "gains": gain, "what is nearly right": close, "what is in neither field": neither}
    failed = [name for name, holds_ in checks.items() if not holds_()]
    print("\n".join(f"differs: {name}" for name in failed) or f"{len(checks)} checks hold")
    return 1 if failed else 0


def samples(seed=1):
    chance = np.random.default_rng(seed)
    made = []
    for length in (3, 1, 4, 2):
        mask = chance.random((length, 3)) < 0.6
        mask[range(length), chance.integers(0, 3, length)] = True
        made.append((chance.normal(size=(length, SIZE[0])), chance.normal(size=(length, SIZE[1])), mask, chance.random() + 0.5))
    return made


def scores(sample, words, steps):
    """By every way its score, by the words alone."""
    x, moves = sample[0] @ words, np.einsum("te,eij->tij", sample[1], steps)
    return {
        way: sum(x[t, role] for t, role in enumerate(way)) + sum(moves[t][way[t - 1], way[t]] for t in range(1, len(way)))
        for way in itertools.product(range(3), repeat=len(x))}


def weights(seed=2):
    chance = np.random.default_rng(seed)
    return chance.normal(size=(SIZE[0], 3)), chance.normal(size=(SIZE[1], 3, 3))


def sums():
    words, steps = weights()
    made = samples()
    batch = Batch(made)
    totals, shares, _ = batch.expect(batch.x @ words, np.einsum("te,eij->tij", batch.z, steps))
    for place, index in enumerate(batch.order):
        every = scores(made[index], words, steps)
        total = log_sum(np.array(list(every.values())), 0)
        first = [sum(np.exp(v - total) for w, v in every.items() if w[0] == role) for role in range(3)]
        if abs(total - totals[place]) > 1e-9 or not np.allclose(first, shares[place]):
            return False
    return True


def slope():
    """At its least the loss rises in every direction."""
    made = samples()
    field = Field(made, SIZE)

    def loss(theta):
        words, steps = theta[:SIZE[0] * 3].reshape(-1, 3), theta[SIZE[0] * 3:].reshape(-1, 3, 3)
        value = PENALTY / 2 * (theta * theta).sum()
        for sample in made:
            every = scores(sample, words, steps)
            good = [v for w, v in every.items() if all(sample[2][t, role] for t, role in enumerate(w))]
            value += sample[3] * (log_sum(np.array(list(every.values())), 0) - log_sum(np.array(good), 0))
        return value

    chance, least = np.random.default_rng(3), loss(field.theta)
    return all(loss(field.theta + 0.002 * chance.normal(size=field.theta.shape)) > least for _ in range(20))


def ways():
    words, steps = weights()
    field = Field(samples(), SIZE)
    field.words, field.steps = words, steps
    sample = samples()[2]
    every = sorted(scores(sample, words, steps).items(), key=lambda way: -way[1])[:WAYS]
    found = field.ways({"x": sample[0], "z": sample[1], "marked": np.zeros(len(sample[0]), bool)})
    return [w for w, _ in found] == [w for w, _ in every] and abs(sum(np.exp(v) for _, v in found) - 1) < 1e-9


def truth():
    lines = ["Jane Miller", "The Winter Road", "PENGUIN"]
    words_ = [{"text": w, "line": k, "features": {"t.pub": float(w == "PENGUIN")}} for k, line in enumerate(lines) for w in line.split()]
    mask = roles({"spine": {"title": "The Wintor Road", "author": "Miller"}, "words": words_}, True)
    return mask.argmax(1).tolist() == [AUTHOR, AUTHOR, TITLE, TITLE, TITLE, OTHER] and (mask.sum(1) == 1).all()


def judged():
    spine = {"title": "Quiet: A Book of Silence and Rest", "author": "Cain, Susan"}
    cases = [
        ("QUIET A BOOK OF SILENCE AND REST", "Susan Cain", (True, True)), ("Quiet", "Susan Cain", (False, True)),
        ("Quiet: A Book of Silence and Rost", "", (True, False)), ("Silence", "Cain", (False, True))]
    return all(right(t, a, spine) == expected for t, a, expected in cases)


def gain():
    """Of ways that are as likely, the one that loses no word of a title is chosen."""
    record = {"ways": [((TITLE, OTHER, AUTHOR), 0), ((TITLE, TITLE, AUTHOR), 0)]}
    short, long = gains(record, np.array([0.5, 0.5]))
    return long > short and gains(record, np.array([1.0, 0.0])).argmax() == 0


def close():
    """A title is nearly right to a tenth of its letters, an author with the last word of the right one."""
    record = {"words": [{"text": word} for word in ("The", "Winter", "Wanderings", "I", "Miller", "B.")]}
    way = (TITLE, TITLE, TITLE, AUTHOR, AUTHOR, OTHER)
    cases = [
        (way, True), ((TITLE, TITLE, TITLE, TITLE, AUTHOR, OTHER), True), ((OTHER, TITLE, TITLE, AUTHOR, AUTHOR, OTHER), False),
        ((TITLE, TITLE, TITLE, OTHER, AUTHOR, AUTHOR), False), ((TITLE, TITLE, TITLE, OTHER, OTHER, OTHER), False)]
    alone = (TITLE, TITLE, TITLE, OTHER, OTHER, OTHER)
    return all(near(record, way, other) == expected for other, expected in cases) and near(record, alone, alone) and not near(record, alone, way)


def neither():
    """A price, an order number at the end and an author without letters are in neither field; a year and a number before words are."""
    cases = [
        ("1984", "", ("1984", "")), ("20000 Leagues 1984", "", ("20000 Leagues 1984", "")), ("The Road 8.99 3487 24190", "12", ("The Road", "")),
        ("24190", "Weber 7", ("24190", "Weber 7"))]
    for title, author, expected in cases:
        words_ = [{"text": word} for word in (title + " " + author).split()]
        if fields({"words": words_}, [TITLE] * len(title.split()) + [AUTHOR] * len(author.split())) != expected:
            return False
    return True
