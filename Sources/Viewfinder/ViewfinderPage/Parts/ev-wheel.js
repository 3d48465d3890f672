// The exposure wheel on the page: a slider for a screen reader, drawn as ticks on a canvas.

class WheelView {
  constructor(connection) {
    this.connection = connection;
    this.element = find("wheel");
    this.face = find("wheel-face");
    this.scale = "";
    this.wheel = new Wheel({}, (name, value) => this.told(name, value));
    this.listen();
    connection.onState((state, old) => this.follow(state, old));
    new ResizeObserver(() => this.paint()).observe(this.face);
  }

  /// Whether the wheel is shown, unless a panel is in its place.
  get isShown() { return !this.element.classList.contains("is-away"); }

  /// Shows or hides the wheel.
  appear(isVisible) {
    this.element.classList.toggle("is-away", !isVisible);
    if (isVisible) this.paint();
  }

  listen() {
    const face = this.face;
    face.addEventListener("pointerdown", event => {
      if (this.isDisabled || event.button !== 0) return;
      face.setPointerCapture(event.pointerId);
      this.wheel.begin(event.clientX, event.timeStamp);
      this.touchedAt = event.clientX;
    });
    face.addEventListener("pointermove", event => {
      for (const part of event.getCoalescedEvents?.() ?? [event]) this.wheel.drag(part.clientX, part.timeStamp);
      this.run();
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"])
      face.addEventListener(name, event => { this.lift(event); this.run(); });
    face.addEventListener("keydown", event => this.key(event));
    find("wheel-zero").addEventListener("click", () => { if (this.isManual) this.connection.command("setExposureMode", { mode: "auto" }); else this.reset(); });
  }

  /// A touch that did not move is a tap on a mark; any other ends a drag.
  lift({ type, clientX, timeStamp }) {
    if (type !== "pointerup" || Math.abs(clientX - this.touchedAt) > TAP_REACH) return this.wheel.end(timeStamp);
    const { left, width } = this.face.getBoundingClientRect();
    this.wheel.tap((clientX - left - width / 2) / TICK_WIDTH, timeStamp);
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -9999, End: 9999 }[event.key];
    if (steps === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(event.shiftKey ? steps * 10 : steps);
  }

  step(ticks) {
    if (this.isDisabled) return say(this.reason);
    this.wheel.step(ticks, performance.now());
    this.run();
  }

  reset() { if (!this.isDisabled) { this.wheel.reset(performance.now()); this.run(); } }

  /// Advances the wheel every 8 ms until it rests and its value is committed.
  run() {
    this.paint();
    if (this.isRunning || !this.wheel.isActive) return;
    this.isRunning = true;
    const go = () => {
      this.wheel.advance(performance.now());
      this.paint();
      if (this.wheel.isActive) setTimeout(go, 8); else this.isRunning = false;
    };
    setTimeout(go, 8);
  }

  told(name, value) {
    if (name === "tick") return this.tick(value);
    const answer = this.connection.command("setExposureBias", { value, phase: name }, { quiet: name === "preview" });
    if (name === "commit") answer.then(() => this.follow(this.connection.state, null));
  }

  tick(value) {
    this.element.dispatchEvent(new CustomEvent("tick", { detail: value, bubbles: true }));
    feel();
  }

  follow(state, old) {
    const isVisible = state?.settings?.isEVBiasVisible === true;
    if (!old || isVisible !== old.settings?.isEVBiasVisible) this.appear(isVisible);
    if (state && old && state.exposure === old.exposure && state.refusals === old.refusals) return;
    const bias = state?.exposure?.bias ?? {};
    this.measure(bias);
    this.wheel.follow(bias.value ?? 0);
    this.reason = disabledBias(state);
    this.isDisabled = this.reason !== null;
    setText(find("wheel-reason"), this.reason ?? "");
    this.face.setAttribute("aria-disabled", String(this.isDisabled));
    // In manual exposure the button leads back.
    this.isManual = state?.exposure?.mode === "manual" && !refusal(state, "setExposureMode");
    setText(find("wheel-zero"), this.isManual ? "Automatic" : "Zero");
    find("wheel-zero").disabled = this.isDisabled && !this.isManual;
    this.paint();
  }

  measure({ min, max, step, values }) {
    const scale = JSON.stringify([min, max, step, values]);
    if (scale === this.scale || this.wheel.isActive) return;
    this.scale = scale;
    this.wheel = new Wheel({ min, max, step, values }, (name, value) => this.told(name, value));
  }

  paint() {
    const { face, wheel } = this, text = biasText(wheel.value);
    setText(find("wheel-value"), text);
    face.setAttribute("aria-valuemin", String(wheel.values[0]));
    face.setAttribute("aria-valuemax", String(wheel.values.at(-1)));
    face.setAttribute("aria-valuenow", String(wheel.value));
    face.setAttribute("aria-valuetext", text);
    paintTicks(find("wheel-ticks"), face, wheel, this.isDisabled);
  }
}

/// The reason why the bias cannot be changed. Null if it can.
function disabledBias(state) {
  if (!state) return "There is no connection.";
  return absence(state.exposure) ?? absence(state.exposure?.bias) ?? refusal(state, "setExposureBias");
}

function paintTicks(canvas, face, wheel, isDisabled) {
  const width = face.clientWidth, height = face.clientHeight, ratio = devicePixelRatio || 1;
  if (!width) return;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px monospace";
  context.textAlign = "center";
  context.fillStyle = isDisabled ? "rgb(255 255 255 / .5)" : "#fff";
  wheel.values.forEach((value, index) => {
    const x = Math.round(width / 2 + (index - wheel.position) * TICK_WIDTH);
    if (x < -TICK_WIDTH || x > width + TICK_WIDTH) return;
    const isMajor = Math.abs(value - Math.round(value)) < 1e-6;
    context.fillRect(x, 12, 1, isMajor ? 20 : 10);
    if (isMajor) context.fillText(String(Math.round(value)), x, 47);
  });
}
