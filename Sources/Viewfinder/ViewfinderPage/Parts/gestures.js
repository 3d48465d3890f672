// Recognises the gestures of fingers on the picture; does not use the page. Points are in CSS pixels, times in milliseconds.

/// The least length of a swipe, and the furthest that the finger of a tap may move, in pixels.
const SWIPE_DISTANCE = 40, SLOP = 10;
const LONG_PRESS = 500;

/// The effect of a swipe: "show" for up and for left, "hide" for down and for right; null if it is too short.
/// - Parameters: dx, dy: from the point where the finger came down to the point where it left.
function swipe(dx, dy) {
  const across = Math.abs(dx), along = Math.abs(dy);
  if (along > SWIPE_DISTANCE && along > across) return dy < 0 ? "show" : "hide";
  if (across > SWIPE_DISTANCE && across > along) return dx < 0 ? "show" : "hide";
  return null;
}

/// Calls `tell` with "tap", "press" (held), "swipe", "pinch" with the ratio to the fingers' first distance, or "pinched" at its end.
class Gestures {
  constructor(tell) {
    this.tell = tell;
    this.fingers = new Map();
    this.isSpent = false;
  }

  down(id, x, y, now) {
    if (this.fingers.size === 0) this.isSpent = false;
    this.fingers.set(id, { from: { x, y }, at: { x, y }, since: now });
    if (this.fingers.size < 2) return;
    this.isSpent = true;
    if (this.fingers.size === 2) this.spread = this.distance();
  }

  move(id, x, y) {
    const finger = this.fingers.get(id);
    if (!finger) return;
    finger.at = { x, y };
    if (this.fingers.size === 2 && this.spread > 0) this.tell("pinch", { ratio: this.distance() / this.spread });
  }

  up(id, x, y, now) {
    const finger = this.fingers.get(id);
    if (!finger) return;
    this.tick(now);
    this.fingers.delete(id);
    if (this.fingers.size === 1 && this.spread) { this.spread = 0; this.tell("pinched", {}); }
    if (this.isSpent) return;
    this.isSpent = true;
    const dx = x - finger.from.x, dy = y - finger.from.y, kind = swipe(dx, dy);
    if (kind) this.tell("swipe", { kind });
    else if (Math.hypot(dx, dy) <= SLOP) this.tell("tap", finger.from);
  }

  cancel() { this.fingers.clear(); this.isSpent = true; this.spread = 0; }

  /// Milliseconds until a resting finger becomes a long press; null if no finger rests.
  untilPress(now) {
    const [finger] = this.fingers.values();
    return finger && !this.isSpent && this.isStill(finger) ? Math.max(0, finger.since + LONG_PRESS - now) : null;
  }

  tick(now) {
    if (this.untilPress(now) !== 0) return;
    this.isSpent = true;
    this.tell("press", [...this.fingers.values()][0].from);
  }

  isStill(finger) { return Math.hypot(finger.at.x - finger.from.x, finger.at.y - finger.from.y) <= SLOP; }

  distance() {
    const [a, b] = [...this.fingers.values()].map(finger => finger.at);
    return Math.hypot(a.x - b.x, a.y - b.y);
  }
}
