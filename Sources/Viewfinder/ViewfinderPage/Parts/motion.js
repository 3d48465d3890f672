// The movement of the picture, independent of the page. Small grey copies of the last pictures are compared with each other. So text that was read
// in an earlier picture is drawn where it is now, or not at all if the movement is not known.

/// Longer side of a copy in pixels, and milliseconds that it is kept: reading takes about a second, on a slow machine several.
const COPY_SIDE = 64, COPY_AGE = 12_000;
/// Correlation, -1 to 1, below which two copies do not show the same scene.
const ALIKE = 0.8;
/// Maximum time in milliseconds between a read picture and the nearest copy. Text of a picture that is further away is not placed.
const COPY_GAP = 250;

/// The correlation of two copies, if `b` shows the scene of `a` moved by (x, y). -1 if they overlap by less than half, or have no contrast.
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

/// The movement from `a` to `b` in pixels of the copies, searched within `reach` around `guess`. Null if they are not alike.
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

/// The maximum of the parabola through three neighbouring values, as an offset from the middle one, -0.5 to 0.5.
function vertex(before, at, after) {
  const bend = before - 2 * at + after;
  return bend < 0 ? Math.min(Math.max((before - after) / (2 * bend), -0.5), 0.5) : 0;
}

class Trail {
  constructor() { this.copies = []; this.chain = 0; }

  /// - Parameters: copy: width, height and `grey`, its pixels; time: the exposure of the picture; part: the part of the full picture that it shows.
  note(copy, time, part) {
    const last = this.copies.at(-1);
    if (last && time <= last.time) return;
    const next = { copy, time, part, ...this.place(last, copy, part) };
    this.copies.push(next);
    while (time - this.copies[0].time > COPY_AGE) this.copies.shift();
  }

  /// The position of a copy: the movement since the chain of comparable copies began, as a share of the full picture.
  place(last, copy, part) {
    if (!last) return { path: [0, 0], step: [0, 0], chain: this.chain };
    // If the zoom has changed, no movement is assumed: a camera moves little from one picture to the next.
    const isZoom = last.part.some((edge, axis) => Math.abs(edge - part[axis]) > 1e-6);
    const step = isZoom ? [0, 0] : displacement(last.copy, copy, last.step, 3);
    if (step === null) return { path: [0, 0], step: [0, 0], chain: ++this.chain };
    const share = [step[0] / copy.width * part[2], step[1] / copy.height * part[3]];
    return { path: [last.path[0] + share[0], last.path[1] + share[1]], step, chain: last.chain };
  }

  /// The movement from the picture exposed at `time` to the newest one, as a share of the full picture. Null if it is not known.
  since(time) {
    const last = this.copies.at(-1);
    if (!last || !Number.isFinite(time)) return null;
    const index = this.nearest(time), then = this.copies[index];
    if (then.chain !== last.chain || Math.abs(then.time - time) > COPY_GAP) return null;
    const far = [0, 1].map(axis => last.path[axis] - then.path[axis]), before = this.between(index, time);
    const isSame = then.part.every((edge, axis) => Math.abs(edge - last.part[axis]) < 1e-6);
    // The errors of many steps add up, so the two copies are compared directly.
    const scale = [last.copy.width / last.part[2], last.copy.height / last.part[3]];
    const found = !isSame || then === last ? far.map((share, axis) => share * scale[axis]) : displacement(then.copy, last.copy, far.map((share, axis) => share * scale[axis]), 3);
    return found && found.map((pixels, axis) => pixels / scale[axis] + before[axis]);
  }

  nearest(time) {
    let best = 0;
    this.copies.forEach((copy, index) => { if (Math.abs(copy.time - time) < Math.abs(this.copies[best].time - time)) best = index; });
    return best;
  }

  /// The movement from a time to the copy nearest to it, interpolated.
  between(index, time) {
    const then = this.copies[index], other = this.copies[index + (time > then.time ? 1 : -1)];
    if (!other || other.chain !== then.chain) return [0, 0];
    const share = (then.time - time) / (other.time - then.time);
    return [0, 1].map(axis => share * (other.path[axis] - then.path[axis]));
  }
}
