// The panel of the camera and the look of its picture, and that of its format.

class CameraPanel {
  constructor(connection) {
    this.name = make("output");
    this.source = make("output");
    this.driver = make("output");
    this.angles = make("output");
    this.look = new ChoiceRow("Look", value => this.chooseLook(value));
    this.lookWhy = make("p", { class: "why", role: "status" });
    this.why = make("p", { class: "why" });
    this.active = new SwitchRow("Look in the picture", value => connection.command("setLook", { active: value }));
    this.bakes = new SwitchRow("Look in photos and recordings", value => connection.command("setLook", { bakesIn: value }));
    const fact = (title, value) => make("div", { class: "row" }, make("span", {}, title), value);
    this.connection = connection;
    this.element = make("div", {}, this.look.element, this.lookWhy, this.active.element, this.bakes.element,
      fact("Camera", this.name), fact("Source", this.source), this.why, fact("Driver", this.driver), fact("Turned: preview, photos", this.angles));
  }

  /// Sets the look. If it is refused, the reason stays below the choice until another look is chosen.
  async chooseLook(name) {
    const answer = await this.connection.command("setLook", { name });
    this.lookRefusal = answer.status === "refused" ? answer.reason : null;
    if (this.connection.state) this.show(this.connection.state);
  }

  show(state) {
    const { camera, look, rotation } = state;
    setText(this.name, camera?.name ?? UNKNOWN);
    setText(this.source, camera?.source ?? UNKNOWN);
    setText(this.why, camera?.reason ?? "");
    setText(this.driver, camera?.driver ?? UNKNOWN);
    setText(this.angles, rotation ? `${rotation.preview}°, ${rotation.capture}°` : UNKNOWN);
    const looks = (look?.looks ?? []).map(name => [name, name]);
    const own = look?.name && !looks.some(([name]) => name === look.name) ? [[look.name, look.name]] : [];
    this.look.show(look?.name ?? "", [["", "none"], ...own, ...looks], absence(look));
    const none = absence(look) || own.length || looks.length ? null : "No look is known: name a .cube file in Settings, Path of the look.";
    const unseen = look?.name && look.bakesIn && !look.isActive ? "Photos and recordings have the look, and the picture here has not." : null;
    setText(this.lookWhy, sentence(this.lookRefusal ?? look?.trouble) ?? none ?? unseen ?? "");
    this.active.show(look?.isActive, absence(look) ?? (look?.name ? look.trouble ?? null : "No look is chosen."));
    this.bakes.show(look?.bakesIn, absence(look));
  }
}

/// The size and the rate of the pictures, a button for each.
class FormatPanel {
  constructor(connection) {
    this.connection = connection;
    this.size = new ButtonsRow("Size", [], key => this.choose({ key }));
    this.rate = new ButtonsRow("Frames a second", [], rate => this.choose({ rate }));
    this.element = make("div", {}, this.size.element, this.rate.element);
  }

  /// Chooses a size, at the present rate if it has that one; or a rate of the present size.
  async choose({ key = sizeKey(this.format), rate = this.format.rate }) {
    const rates = this.formats.filter(format => sizeKey(format) === key).sort((a, b) => Math.abs(a.rate - rate) - Math.abs(b.rate - rate));
    if (!rates[0]) return;
    const { width, height, rate: nearest } = rates[0];
    const answer = await this.connection.command("selectFormat", { width, height, rate: nearest });
    if (answer.result?.differences?.length) say(sentence(answer.result.differences.join("; ")));
  }

  show(state) {
    const { format, formats } = state;
    this.format = format;
    this.formats = format ? [format, ...formats ?? []] : [];
    const reason = refusal(state, "selectFormat") ?? (format ? null : "No camera is open.");
    const sizes = new Map([...this.formats].sort((a, b) => b.width * b.height - a.width * a.height).map(each => [sizeKey(each), `${each.width}×${each.height}`]));
    const rates = new Set(this.formats.filter(each => sizeKey(each) === sizeKey(format)).map(({ rate }) => rate).sort((a, b) => a - b));
    this.size.offer([...sizes]);
    this.rate.offer([...rates].map(rate => [rate, String(Number(rate.toFixed(3)))]));
    this.size.show(format && sizeKey(format), reason);
    this.rate.show(format?.rate, reason);
  }
}

function sizeKey({ width, height }) { return `${width} ${height}`; }
