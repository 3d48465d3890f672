// The motorised dock: a pad that moves while it is held, modes, framing, region, subjects, presets, movements, battery.

/// Milliseconds between two commands of a motion: the server stops a motion whose command is not repeated within 250 ms.
const MOVE_INTERVAL = 100;
const MOVE_SPEED = 0.2;
const DOCK_MOVES = [["↖", -1, 1], ["↑", 0, 1], ["↗", 1, 1], ["←", -1, 0], ["■", 0, 0], ["→", 1, 0], ["↙", -1, -1], ["↓", 0, -1], ["↘", 1, -1]];
const DOCK_FEATURES = [["tracking", "Tracking"], ["regionOfInterest", "Region of interest"], ["framing", "Framing"], ["animation", "Movements"], ["tapToTrack", "Tap to track"], ["summary", "Summary"]];
const DOCK_ANIMATIONS = [["yes", "Yes"], ["no", "No"], ["wakeup", "Wake up"], ["kapow", "Kapow"]];

class DockPanel {
  constructor(connection, marks) {
    Object.assign(this, { connection, marks, isDrawing: false });
    const send = (command, key) => value => connection.command(command, { [key]: value });
    this.status = make("p", { class: "figures", role: "status" });
    this.mode = new ButtonsRow("Mode", [["system", "System"], ["custom", "Custom"], ["manual", "Manual"]], send("dockMode", "mode"));
    this.framing = new ButtonsRow("Framing", ["auto", "center", "left", "right"].map(name => [name, name]), send("dockFraming", "framing"));
    this.region = new ButtonsRow("Region", [["draw", "Draw"], ["middle", "Middle"], ["none", "Everywhere"]], value => this.chooseRegion(value));
    this.animation = new ButtonsRow("Movements", DOCK_ANIMATIONS, send("dockAnimate", "name"));
    this.features = DOCK_FEATURES.map(([name, title]) => [name, new SwitchRow(title, on => connection.command("dockFeature", { name, on }))]);
    this.pad = make("div", { id: "pad", role: "group", "aria-label": "Pan and tilt while held" }, ...DOCK_MOVES.map(move => this.padButton(move)));
    this.subjects = make("div", { class: "buttons", role: "group", "aria-label": "Subjects" });
    this.presets = make("div", { class: "buttons", role: "group", "aria-label": "Presets" });
    this.presetName = make("input", { type: "text", maxLength: 60, placeholder: "Name", "aria-label": "Name of a preset" });
    this.save = make("button", { type: "button", onclick: () => this.savePreset() }, "Save the position");
    this.parts = make("div", {}, this.mode.element, this.pad, this.framing.element, this.region.element, make("h3", {}, "Subjects"), this.subjects,
      make("h3", {}, "Presets"), this.presets, make("div", { class: "row" }, this.presetName, this.save), this.animation.element, ...this.features.map(([, row]) => row.element));
    this.element = make("div", {}, this.status, this.parts);
    for (const name of ["blur", "pagehide"]) addEventListener(name, () => this.release());
    connection.onState(state => { if (!state) { this.release(); this.isDrawing = false; } });
  }

  /// Whether a region is being drawn on the picture; the panel gives way meanwhile.
  get isDrawing() { return find("stage").classList.contains("is-drawing"); }
  set isDrawing(isDrawing) { find("stage").classList.toggle("is-drawing", isDrawing); }

  show({ dock = {} }) {
    const why = absence(dock);
    this.parts.hidden = why !== null || dock.status === "disconnected";
    setText(this.status, dockText(dock));
    if (this.parts.hidden) return;
    this.mode.show(dock.mode);
    this.framing.show(dock.framing, dock.features?.framing === false ? "Framing is switched off below." : null);
    this.region.show(this.isDrawing ? "draw" : dock.roi ? null : "none", dock.features?.regionOfInterest === false ? "The region is switched off below." : null);
    this.animation.show(dock.animation, dock.animation ? "A movement is being played." : dock.features?.animation === false ? "Movements are switched off below." : null);
    for (const [name, row] of this.features) row.show(dock.features?.[name]);
    const reason = dock.mode === "manual" ? null : "The pad moves the dock in manual mode.";
    for (const button of this.pad.children) setEnabled(button, reason === null, reason);
    if (reason) this.release();
    this.showLists(dock);
    for (const button of this.presets.children) setEnabled(button, dock.mode === "manual", "The dock goes to a position only in manual mode.");
    const isTold = Boolean(dock.position);
    setEnabled(this.save, isTold, "This camera does not tell where its motors are.");
    this.presetName.disabled = !isTold;
  }

  showLists({ subjects = [], selected, presets = [] }) {
    const key = JSON.stringify([subjects.map(({ id }) => id), selected, presets]);
    if (key === this.listed) return;
    this.listed = key;
    const select = id => this.connection.command("dockSelect", id === selected ? { none: true } : { id });
    fill(this.subjects, subjects.map(({ id }) => make("button", { type: "button", "aria-pressed": String(id === selected), onclick: () => select(id) }, `Subject ${id}`)));
    fill(this.presets, presets.map(name => make("button", { type: "button", onclick: () => this.connection.command("dockPreset", { name, save: false }) }, name)));
  }

  // The pad: nine buttons that move the camera while they are held.

  padButton([sign, pan, tilt]) {
    const name = { "-1": "left", 0: "", 1: "right" }[pan], height = { "-1": "down", 0: "", 1: "up" }[tilt];
    const button = make("button", { type: "button", "aria-label": [height, name].filter(Boolean).join(" ") || "stop" }, sign);
    const hold = event => {
      event.preventDefault();
      if (event.pointerId !== undefined) button.setPointerCapture(event.pointerId);
      if (pan || tilt) this.hold(pan * MOVE_SPEED, tilt * MOVE_SPEED); else this.stop();
    };
    const isPress = event => event.key === " " || event.key === "Enter";
    button.addEventListener("pointerdown", hold);
    for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(end, () => this.release());
    button.addEventListener("keydown", event => { if (isPress(event)) { event.stopPropagation(); if (event.repeat) event.preventDefault(); else hold(event); } });
    button.addEventListener("keyup", event => { if (isPress(event)) { event.preventDefault(); this.release(); } });
    return button;
  }

  hold(pan, tilt) {
    clearInterval(this.moving);
    const move = () => this.connection.command("dockMove", { pan, tilt }, { quiet: true });
    move();
    this.moving = setInterval(move, MOVE_INTERVAL);
  }

  release() { if (this.moving) this.stop(); }

  stop() {
    clearInterval(this.moving);
    this.moving = null;
    this.connection.command("dockStop", {}, { quiet: true });
  }

  // The region and the subjects in the picture.

  chooseRegion(value) {
    this.isDrawing = value === "draw";
    if (value === "draw") say("Draw the region on the picture; Escape leaves it.");
    if (value !== "draw") this.connection.command("dockROI", { rect: value === "none" ? null : [0.25, 0.25, 0.5, 0.5] });
    this.show(this.connection.state ?? {});
  }

  /// Draws a region between two points of the surface; when it is done, sends it.
  draw(from, to, isDone) {
    const geometry = this.marks.geometry();
    if (!geometry) return;
    const rect = rectFrom(geometry.toPicture(...from), geometry.toPicture(...to));
    this.marks.region = isDone ? null : rect;
    const { rotation } = this.connection.state ?? {};
    if (isDone) {
      this.isDrawing = false;
      if (rect[2] > 0.01 && rect[3] > 0.01) this.connection.command("dockROI", { rect: rectBy(point => toCapture(point, rotation), rect) });
    }
    this.marks.paint();
  }

  /// Chooses the subject at a tap, or ends the choice of a chosen one; false if taps set the focus instead.
  selects(x, y) {
    const dock = this.connection.state?.dock, geometry = this.marks.geometry();
    if (!dock?.features?.tapToTrack || dock.mode === "manual" || !geometry) return false;
    const point = toCapture(geometry.toPicture(x, y), this.connection.state.rotation), hit = (dock.subjects ?? []).find(({ rect }) => isInside(point, rect));
    if (hit && hit.id === dock.selected) this.connection.command("dockSelect", { none: true });
    else this.connection.command("dockSelect", { x: point[0], y: point[1] });
    return true;
  }

  /// Escape: stops drawing a region, else ends the choice of a subject. False if there was neither.
  escape() {
    if (this.isDrawing) { this.isDrawing = false; this.marks.region = null; this.marks.paint(); return true; }
    const { selected = null, features } = this.connection.state?.dock ?? {};
    if (selected === null || !features) return false;
    this.connection.command("dockSelect", { none: true });
    return true;
  }

  savePreset() {
    const name = this.presetName.value.trim();
    if (!name) return say("A preset needs a name.");
    this.connection.command("dockPreset", { name, save: true });
  }
}

function dockText(dock) {
  if (absence(dock)) return dock.unsupported;
  if (!dock.status) return UNKNOWN;
  const { battery, motion, position } = dock;
  const power = battery?.unsupported ? `battery: ${battery.unsupported}` : battery ? `battery ${percentText(battery.level)}${battery.charging ? ", charging" : ""}` : null;
  const angles = pair => `${pair.pan.toFixed(2)}, ${pair.tilt.toFixed(2)}`;
  return [dock.name, dock.status, power, motion ? `motion ${angles(motion)} rad/s` : null, position ? `at ${angles(position)} rad` : null].filter(Boolean).join("; ");
}
