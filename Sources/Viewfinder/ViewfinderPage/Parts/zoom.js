// The zoom by fingers, mouse wheel and keys; and the choice of the lens.

class ZoomView {
  constructor(connection) {
    this.connection = connection;
    this.pace = new Pace(factor => connection.command("setZoom", { factor, ramp: false }, { quiet: true }), 33);
    this.lenses = find("lenses");
    connection.onState((state, old) => this.show(state, old));
  }

  get present() { return this.connection.state?.zoom ?? {}; }

  begin() { this.first = this.present.factor ?? 1; }
  pinch(ratio) { this.set(this.first * ratio); }

  /// Zooms by a step of the mouse's wheel or of a key, from the factor that was requested last.
  by(ratio) {
    const now = performance.now();
    if (!(now - this.askedAt < 500)) this.asked = this.present.factor ?? 1;
    this.set(this.asked * ratio);
    this.askedAt = now;
  }

  set(factor) {
    const { min = 1, max = 4 } = this.present;
    if (!this.connection.isOpen) return;
    this.asked = Math.min(Math.max(factor, min), max);
    this.pace.offer(this.asked);
  }

  /// Zooms smoothly to a factor.
  ramp(factor) { this.connection.command("setZoom", { factor, ramp: true }); }

  lens(index) {
    const lens = this.connection.state?.camera?.lenses?.[index];
    if (lens) this.connection.command("selectLens", { id: lens.id });
  }

  show(state, old) {
    if (state && old && state.zoom === old.zoom && state.camera === old.camera) return;
    setText(find("zoom-value"), state ? zoomText(state.zoom?.factor) : "");
    const lenses = state?.camera?.lenses ?? [], chosen = state?.camera?.lens;
    if (lenses !== this.shown) fill(this.lenses, lenses.map(lens => this.button(lens)));
    this.shown = lenses;
    for (const button of this.lenses.children) setPressed(button, button.dataset.lens === String(chosen));
  }

  button({ id, factor, isCrop }) {
    const name = `${Number(factor.toFixed(1))}x`;
    const button = make("button", { type: "button", class: "figures", "data-lens": id, onclick: () => this.connection.command("selectLens", { id }) }, isCrop ? `${name} crop` : name);
    button.setAttribute("aria-label", isCrop ? `${name}, a part of the picture` : `Lens ${name}`);
    return button;
  }
}
