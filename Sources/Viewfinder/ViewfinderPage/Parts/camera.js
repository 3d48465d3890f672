// The panel of the camera: its format, and the look of its picture.

class CameraPanel {
  constructor(connection) {
    this.name = make("output");
    this.source = make("output");
    this.driver = make("output");
    this.angles = make("output");
    this.format = new ChoiceRow("Format", value => {
      const [width, height, rate] = value.split(" ").map(Number);
      if (rate > 0) this.chooseFormat({ width, height, rate });
    });
    this.look = new ChoiceRow("Look", value => this.chooseLook(value));
    this.lookWhy = make("p", { class: "why", role: "status" });
    this.why = make("p", { class: "why" });
    this.active = new SwitchRow("Look in the picture", value => connection.command("setLook", { active: value }));
    this.bakes = new SwitchRow("Look in photos and recordings", value => connection.command("setLook", { bakesIn: value }));
    const fact = (title, value) => make("div", { class: "row" }, make("span", {}, title), value);
    this.connection = connection;
    this.element = make("div", {}, fact("Camera", this.name), fact("Source", this.source), this.why, fact("Driver", this.driver), fact("Turned: preview, photos", this.angles),
      this.format.element, this.look.element, this.lookWhy, this.active.element, this.bakes.element);
  }

  async chooseFormat(format) {
    const answer = await this.connection.command("selectFormat", format);
    if (answer.result?.differences?.length) say(sentence(answer.result.differences.join("; ")));
  }

  /// Sets the look. If it is refused, the reason stays below the choice until another look is chosen.
  async chooseLook(name) {
    const answer = await this.connection.command("setLook", { name });
    this.lookRefusal = answer.status === "refused" ? answer.reason : null;
    if (this.connection.state) this.show(this.connection.state);
  }

  show(state) {
    const { camera, format, formats, look, rotation } = state;
    setText(this.name, camera?.name ?? UNKNOWN);
    setText(this.source, camera?.source ?? UNKNOWN);
    setText(this.why, camera?.reason ?? "");
    setText(this.driver, camera?.driver ?? UNKNOWN);
    setText(this.angles, rotation ? `${rotation.preview}°, ${rotation.capture}°` : UNKNOWN);
    const choices = formatChoices(formats ?? [], format);
    this.format.show(format ? formatKey(format) : "", choices, refusal(state, "selectFormat") ?? (choices.length ? null : "No camera is open."));
    const looks = (look?.looks ?? []).map(name => [name, name]);
    const own = look?.name && !looks.some(([name]) => name === look.name) ? [[look.name, look.name]] : [];
    this.look.show(look?.name ?? "", [["", "none"], ...own, ...looks], absence(look));
    setText(this.lookWhy, sentence(this.lookRefusal ?? look?.trouble) ?? "");
    this.active.show(look?.isActive, absence(look) ?? (look?.name ? look.trouble ?? null : "No look is chosen."));
    this.bakes.show(look?.bakesIn, absence(look));
  }
}

function formatKey({ width, height, rate }) { return `${width} ${height} ${rate}`; }

/// Choices of size and rate, the present one included: the largest size first, without duplicates.
function formatChoices(formats, present) {
  const all = new Map();
  for (const format of present ? [present, ...formats] : formats)
    if (!all.has(formatKey(format))) all.set(formatKey(format), format);
  return [...all.values()].sort((a, b) => b.width * b.height - a.width * a.height || b.rate - a.rate)
    .map(format => [formatKey(format), `${format.width}×${format.height} ${Number(format.rate.toFixed(3))}`]);
}
