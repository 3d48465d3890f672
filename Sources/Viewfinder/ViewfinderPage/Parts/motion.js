// How far the picture has moved, computed from small grey copies of the last pictures; does not use the page. So what was read in an earlier
// picture can be drawn at its present place, and is left out if the movement is not known.

/// Pixels of the longer side of a copy, and milliseconds for which it is kept: reading takes about a second, on a slow machine several.
const COPY_SIDE = 64, COPY_AGE = 12_000;
/// Two copies whose correlation (-1 to 1) is lower do not show the same thing.
const ALIKE = 0.8;
/// The greatest time between a picture and the nearest copy, in milliseconds. Text read in a picture that is further from every copy is not drawn.
const COPY_GAP = 250;
/// Within so many milliseconds two times are those of one picture.
const SAME_PICTURE = 5;
/// How often the way between two copies is halved if they have too little in common.
const HALVINGS = 2;

/// How alike two copies are if the second has moved by (x, y): the correlation of the pixels that both show. -1 if these are less than half, or
/// have no contrast.
function likeness(a, b, x, y) {
  const { width, height } = a, left = Math.max(0, x), top = Math.max(0, y), right = Math.min(width, width + x), bottom = Math.min(height, height + y);
  const count = (right - left) * (bottom - top);
  if (right <= left || bottom <= top || count * 2 < width * height) return -1;
  let sumA = 0, sumB = 0, squareA = 0, squareB = 0, product = 0;
  for (let row = top; row < bottom; row++) {
    for (let at = row * width + left, from = (row - y) * width + left - x, end = row * width + right; at < end; at++, from++) {
      const p = b.grey[at], q = a.grey[from];
      sumA += q; sumB += p; squareA += q * q; squareB += p * p; product += p * q;
    }
  }
  const spreadA = squareA - sumA * sumA / count, spreadB = squareB - sumB * sumB / count;
  if (spreadA < count || spreadB < count) return -1;
  return (product - sumA * sumB / count) / Math.sqrt(spreadA * spreadB);
}

/// How far `b` has moved from `a`, in pixels of the copies, searched for up to `reach` pixels around `guess`; null if they are not alike.
function displacement(a, b, guess, reach) {
  if (a.width !== b.width || a.height !== b.height) return null;
  const middle = guess.map(Math.round);
  let best = -1, place = middle;
  for (let y = middle[1] - reach; y <= middle[1] + reach; y++) for (let x = middle[0] - reach; x <= middle[0] + reach; x++) {
    const alike = likeness(a, b, x, y);
    if (alike > best) [best, place] = [alike, [x, y]];
  }
  if (best < ALIKE) return null;
  const [x, y] = place;
  return [x + vertex(likeness(a, b, x - 1, y), best, likeness(a, b, x + 1, y)), y + vertex(likeness(a, b, x, y - 1), best, likeness(a, b, x, y + 1))];
}

/// The place of the maximum of a parabola through three neighbours, from -0.5 to 0.5.
function vertex(before, at, after) {
  const bend = before - 2 * at + after;
  return bend < 0 ? Math.min(Math.max((before - after) / (2 * bend), -0.5), 0.5) : 0;
}

class Trail {
  constructor() { this.copies = []; this.chain = 0; }

  /// Keeps a copy. - Parameters: copy: width, height and `grey`, the codes of its pixels; time: of the exposure; part: its part of the full picture.
  note(copy, time, part) {
    const last = this.copies.at(-1);
    if (last && time <= last.time) return;
    const next = { copy, time, part, ...this.place(last, copy, part) };
    this.copies.push(next);
    while (time - this.copies[0].time > COPY_AGE) this.copies.shift();
  }

  /// How far a copy has moved since its chain of alike copies began, in shares of the full picture.
  place(last, copy, part) {
    if (!last) return { path: [0, 0], step: [0, 0], chain: this.chain };
    // If the zoom was changed, the copies cannot be compared; 0 is assumed, because a camera moves little between two pictures.
    const isZoom = last.part.some((edge, axis) => Math.abs(edge - part[axis]) > 1e-6);
    const step = isZoom ? [0, 0] : displacement(last.copy, copy, last.step, 3);
    if (step === null) return { path: [0, 0], step: [0, 0], chain: ++this.chain };
    const share = [step[0] / copy.width * part[2], step[1] / copy.height * part[3]];
    return { path: [last.path[0] + share[0], last.path[1] + share[1]], step, chain: last.chain };
  }

  /// How far the newest picture has moved since the picture of that time, in shares of the full picture; null if that is not known.
  since(time) {
    const last = this.copies.at(-1);
    if (!last || !Number.isFinite(time)) return null;
    const index = this.nearest(time), then = this.copies[index];
    if (then.chain !== last.chain || Math.abs(then.time - time) > COPY_GAP) return null;
    const before = this.between(index, time), found = this.way(index, this.copies.length - 1);
    return found && before && found.map((share, axis) => share + before[axis]);
  }

  /// How far the picture has moved between two copies, in shares of the full picture. Small errors of many steps add up, so the two are compared directly, from the
  /// sum of the steps on; two that show too little in common are compared by way of a copy between them, `HALVINGS` times.
  way(from, to, halvings = HALVINGS) {
    const [then, last] = [this.copies[from], this.copies[to]], far = [0, 1].map(axis => last.path[axis] - then.path[axis]);
    if (then === last || then.part.some((edge, axis) => Math.abs(edge - last.part[axis]) > 1e-6)) return far;
    const scale = [last.copy.width / last.part[2], last.copy.height / last.part[3]];
    const found = displacement(then.copy, last.copy, far.map((share, axis) => share * scale[axis]), 3);
    if (found) return found.map((pixels, axis) => pixels / scale[axis]);
    if (halvings === 0 || to - from < 2) return null;
    const middle = from + to >> 1, first = this.way(from, middle, halvings - 1), second = first && this.way(middle, to, halvings - 1);
    return second && second.map((share, axis) => share + first[axis]);
  }

  nearest(time) {
    let best = 0;
    this.copies.forEach((copy, index) => { if (Math.abs(copy.time - time) < Math.abs(this.copies[best].time - time)) best = index; });
    return best;
  }

  /// The movement between a time and the copy that is nearest to it, interpolated; null if the time is beyond the copies.
  between(index, time) {
    const then = this.copies[index], other = this.copies[index + (time > then.time ? 1 : -1)];
    if (!other || other.chain !== then.chain) return Math.abs(time - then.time) <= SAME_PICTURE ? [0, 0] : null;
    const share = (then.time - time) / (other.time - then.time);
    return [0, 1].map(axis => share * (other.path[axis] - then.path[axis]));
  }
}
