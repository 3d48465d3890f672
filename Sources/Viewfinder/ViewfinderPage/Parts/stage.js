// Passes what fingers and the mouse do on the picture to focus, zoom, wheel and dock.

class Stage {
  /// - Parameter parts: focus, zoom, dock, marks, `showControls(isVisible)`, `showSpine(spine)`.
  constructor(surface, parts) {
    Object.assign(this, { surface, ...parts });
    this.gestures = new Gestures((name, what) => this.told(name, what));
    surface.addEventListener("pointerdown", event => this.down(event));
    surface.addEventListener("pointermove", event => this.move(event));
    surface.addEventListener("pointerup", event => this.up(event));
    surface.addEventListener("pointercancel", () => { this.gestures.cancel(); this.drawing = null; });
    surface.addEventListener("wheel", event => this.roll(event), { passive: false });
    surface.addEventListener("contextmenu", event => event.preventDefault());
  }

  place(event) {
    const { left, top } = this.surface.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  down(event) {
    if (event.button !== 0) return;
    this.surface.setPointerCapture(event.pointerId);
    const [x, y] = this.place(event);
    if (this.dock.isDrawing) { this.drawing = { id: event.pointerId, from: [x, y] }; return; }
    this.gestures.down(event.pointerId, x, y, event.timeStamp);
    if (this.gestures.fingers.size === 2) this.zoom.begin();
    this.awaitPress();
  }

  move(event) {
    const [x, y] = this.place(event);
    if (this.drawing?.id === event.pointerId) return this.dock.draw(this.drawing.from, [x, y], false);
    this.gestures.move(event.pointerId, x, y);
  }

  up(event) {
    const [x, y] = this.place(event);
    if (this.drawing?.id === event.pointerId) {
      const { from } = this.drawing;
      this.drawing = null;
      return this.dock.draw(from, [x, y], true);
    }
    this.gestures.move(event.pointerId, x, y);
    this.gestures.up(event.pointerId, x, y, event.timeStamp);
    clearTimeout(this.pressTimer);
  }

  awaitPress() {
    clearTimeout(this.pressTimer);
    const wait = this.gestures.untilPress(performance.now());
    if (wait !== null) this.pressTimer = setTimeout(() => { this.gestures.tick(performance.now()); this.awaitPress(); }, Math.max(1, Math.ceil(wait)));
  }

  roll(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.zoom.by(2 ** (-Math.min(Math.max(event.deltaY * lines, -200), 200) / 400));
  }

  told(name, { kind, ratio, x, y }) {
    if (name === "swipe") this.showControls(kind === "show");
    if (name === "pinch") this.zoom.pinch(ratio);
    if (name === "press") this.focus.at(x, y, true);
    if (name !== "tap" || this.dock.selects(x, y)) return;
    const spine = this.marks.spineAt(x, y);
    if (spine) this.showSpine(spine);
    this.focus.at(x, y, false, Boolean(spine));
  }
}
