// The exposure wheel; does not use the page. Positions are in ticks, times in milliseconds. The position never leaves the scale, moves in one
// direction after a fling, and comes to rest on a tick. `tell(name, value)` is called with "tick" for each step crossed, "preview" while the wheel
// turns, and "commit" once it rests.

const TICK_WIDTH = 12;
const PREVIEW_INTERVAL = 100;
const COMMIT_DELAY = 150;
/// The length of a fling: so many milliseconds at its first speed. And the time in which the rest of the way shrinks to 37 % (1/e).
const FLING_TIME = 160, SETTLE_TIME = 45;
/// A finger that has rested for longer than this, in milliseconds, lets go without a fling.
const STILL_TIME = 80;
const SAME_BIAS = 0.001;

function wheelValues({ min, max, step, values }) {
  if (Array.isArray(values) && values.length > 1) return [...values].sort((a, b) => a - b);
  const low = Number.isFinite(min) ? min : -2, high = Number.isFinite(max) ? max : 2, by = step > 0 ? step : 0.1;
  const first = Math.ceil(low / by - 1e-6), last = Math.floor(high / by + 1e-6);
  const count = Math.min(Math.max(last - first + 1, 1), 2001);
  return Array.from({ length: count }, (_, index) => Number(((first + index) * by).toFixed(6)));
}

class Wheel {
  constructor(scale, tell) {
    this.values = wheelValues(scale);
    this.tell = tell;
    this.committed = 0;
    this.position = this.index = this.nearest(0);
    this.phase = "rest";
    this.previewedAt = -Infinity;
    this.previewed = this.value;
    this.isUnsettled = false;
    this.restedAt = null;
  }

  get value() { return this.values[this.index]; }
  get isActive() { return this.phase !== "rest" || this.restedAt !== null; }

  nearest(value) {
    let best = 0;
    this.values.forEach((candidate, index) => {
      if (Math.abs(candidate - value) < Math.abs(this.values[best] - value)) best = index;
    });
    return best;
  }

  /// Moves the wheel to the camera's value, unless the user is turning it.
  follow(value) {
    if (this.isActive || !Number.isFinite(value)) return;
    this.position = this.index = this.nearest(value);
    this.committed = this.previewed = this.value;
  }

  begin(x, now) {
    this.wasGliding = this.phase === "glide";
    this.phase = "drag";
    this.restedAt = null;
    this.grip = { x, position: this.position };
    this.trace = [{ x, now }];
  }

  drag(x, now) {
    if (this.phase !== "drag") return;
    this.trace.push({ x, now });
    this.trace = this.trace.filter(sample => now - sample.now <= 100);
    this.turn(this.grip.position - (x - this.grip.x) / TICK_WIDTH, now);
  }

  end(now) {
    if (this.phase !== "drag") return;
    const speed = this.speed(now);
    const ahead = Math.round(this.position + speed * FLING_TIME);
    // A fling never moves back from where it was let go.
    const onward = speed > 0 ? Math.max(ahead, Math.ceil(this.position)) : speed < 0 ? Math.min(ahead, Math.floor(this.position)) : ahead;
    this.glide(onward, now);
  }

  /// The speed when the finger left, in ticks per millisecond.
  speed(now) {
    const first = this.trace[0], last = this.trace.at(-1);
    if (last.now <= first.now || now - last.now > STILL_TIME) return 0;
    return -(last.x - first.x) / (last.now - first.now) / TICK_WIDTH;
  }

  glide(target, now) {
    this.target = this.clamp(target);
    this.phase = "glide";
    this.glidedAt = now;
    this.advance(now);
  }

  /// Ends a touch that did not move, so many ticks from the middle: turns to the tick that was touched, or to a whole number that is not further
  /// than a tick from it. A touch that stopped a fling does nothing else.
  tap(ticks, now) {
    if (this.phase !== "drag") return;
    const touched = this.clamp(Math.round(this.grip.position + (this.wasGliding ? 0 : ticks)));
    const whole = [touched, touched - 1, touched + 1].find(index => Math.abs(this.values[index] - Math.round(this.values[index])) < SAME_BIAS);
    this.glide(this.wasGliding ? touched : whole ?? touched, now);
  }

  /// Moves by a number of ticks at once, as a key does.
  step(ticks, now) {
    this.phase = "rest";
    this.turn(this.index + ticks, now);
    this.position = this.index;
    this.restedAt = now;
  }

  reset(now) { this.step(this.nearest(0) - this.index, now); }

  /// Does what is due at `now`: moves on in a fling, sends a preview that waited, or commits.
  advance(now) {
    if (this.phase === "glide") this.fade(now);
    if (this.phase === "rest" && this.restedAt !== null && now - this.restedAt >= COMMIT_DELAY) this.commit();
    else if (this.isActive) this.preview(now);
  }

  fade(now) {
    const left = (this.target - this.position) * Math.exp(-Math.max(0, now - this.glidedAt) / SETTLE_TIME);
    this.glidedAt = now;
    if (Math.abs(left) > 0.04) return this.turn(this.target - left, now);
    this.turn(this.target, now);
    this.phase = "rest";
    this.restedAt = now;
  }

  commit() {
    this.restedAt = null;
    // After a preview the camera may have another value, since previews that come too fast are not applied; so commit anyway.
    if (!this.isUnsettled && Math.abs(this.value - this.committed) < SAME_BIAS) return;
    this.isUnsettled = false;
    this.committed = this.previewed = this.value;
    this.tell("commit", this.value);
  }

  preview(now) {
    if (now - this.previewedAt < PREVIEW_INTERVAL || Math.abs(this.value - this.previewed) < SAME_BIAS) return;
    this.previewedAt = now;
    this.previewed = this.value;
    this.isUnsettled = true;
    this.tell("preview", this.value);
  }

  clamp(position) { return Math.min(Math.max(position, 0), this.values.length - 1); }

  turn(position, now) {
    this.position = this.clamp(position);
    const index = Math.round(this.position);
    while (this.index !== index) {
      this.index += Math.sign(index - this.index);
      this.tell("tick", this.value);
    }
    this.preview(now);
  }
}
