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
    if (!lens) return;
    feel();
    this.connection.command("selectLens", { id: lens.id });
  }

  show(state, old) {
    if (state && old && state.zoom === old.zoom && state.camera === old.camera) return;
    const lenses = state?.camera?.lenses ?? [], { chosen, total } = shownZoom(state), text = state ? zoomText(total) : "";
    if (text !== find("zoom-value").textContent && old) feel();
    setText(find("zoom-value"), text);
    // The button of the lens shows the zoom; without lenses its own text does.
    find("zoom-value").classList.toggle("unseen", lenses.length > 0);
    if (JSON.stringify(lenses) !== this.shown) fill(this.lenses, lenses.map((lens, index) => this.button(lens, index)));
    this.shown = JSON.stringify(lenses);
    lenses.forEach((lens, index) => {
      const button = this.lenses.children[index], isChosen = index === chosen;
      setPressed(button, isChosen);
      setText(button.firstChild, isChosen ? text : zoomText(lens.factor));
    });
  }

  button({ factor, isCrop }, index) {
    const name = zoomText(factor);
    const button = make("button", { type: "button", class: "figures", onclick: () => this.lens(index) }, make("span", {}, name), isCrop ? make("small", {}, "crop") : null);
    button.setAttribute("aria-label", isCrop ? `${name}, a part of the picture` : `Lens ${name}`);
    return button;
  }
}

/// The zoom as a user counts it, that of the lens included, and the index of the lens's button that stands for it: a crop's own, once it is zoomed in
/// as far as this crop.
function shownZoom(state) {
  const lenses = state?.camera?.lenses ?? [], own = Number(state?.camera?.lens ?? 0), zoom = state?.zoom?.factor ?? 1;
  const isMain = lens => lens?.isCrop || Math.abs(lens?.factor - 1) <= 0.05;
  if (!isMain(lenses[own])) return { chosen: own, total: zoom * (lenses[own]?.factor ?? 1) };
  const crop = lenses.findIndex(({ isCrop }) => isCrop), main = lenses.findIndex(lens => isMain(lens) && !lens.isCrop);
  return { chosen: crop >= 0 && zoom > lenses[crop].factor - 0.05 || main < 0 ? crop : main, total: zoom };
}
