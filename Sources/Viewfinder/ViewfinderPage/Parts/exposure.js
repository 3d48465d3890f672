// Exposure, colour, focus and light.

class ExposurePanel {
  constructor(connection) {
    const send = (command, key) => value => connection.command(command, { [key]: value });
    // To set what automatic exposure sets makes the exposure manual.
    const sendManually = (command, given) => {
      const wasAutomatic = connection.state?.exposure?.mode === "auto";
      connection.command(command, given).then(({ status }) => { if (wasAutomatic && status === "accepted") say("The exposure is manual now, and no longer follows the light.", true); });
    };
    this.mode = new ButtonsRow("Exposure", [["auto", "Auto"], ["manual", "Manual"]], value => connection.command("setExposureMode", { mode: value }));
    this.lock = new SwitchRow("Exposure lock", send("lockExposure", "on"));
    this.priority = new SwitchRow("Shutter priority (180°)", send("shutterPriority", "on"));
    this.iso = new SliderRow("ISO", { text: isoText, isLogarithmic: true, send: value => sendManually("setISO", { value: Math.round(value) }) });
    this.shutter = new SliderRow("Shutter", { text: shutterText, number: typedShutter, isLogarithmic: true, send: duration => sendManually("setShutter", { duration }) });
    this.angle = new ChoiceRow("Shutter angle", value => { if (value !== "") sendManually("setShutter", { angle: Number(value) }); });
    this.balance = new ButtonsRow("White balance", [["auto", "Auto"], ["manual", "Manual"]], value => connection.command("setWhiteBalance", { mode: value }));
    this.temperature = new SliderRow("Temperature", { text: kelvinText, send: value => connection.command("setWhiteBalance", { temperature: Math.round(value / 20) * 20 }) });
    this.tint = new SliderRow("Tint", { text: tintText, send: value => connection.command("setTint", { value: Math.round(value) }) });
    this.focus = make("button", { type: "button", onclick: () => connection.command("unlockFocus") }, "Continuous focus");
    this.focusState = make("output");
    this.focusWhy = make("p", { class: "why" });
    this.torch = new SliderRow("Torch", { text: percentText, number: typedShare, send: send("setTorch", "level") });
    this.steady = new SwitchRow("Stabilisation", send("setStabilization", "on"));
    const focusRow = make("div", { class: "row" }, make("span", {}, "Focus ", this.focusState), this.focus, this.focusWhy);
    const rows = [this.mode, this.lock, this.priority, this.iso, this.shutter, this.angle, this.balance, this.temperature, this.tint, this.torch, this.steady];
    this.element = make("div", {}, ...rows.map(row => row.element), focusRow);
  }

  /// Shows the state. Each control is disabled, with the reason, if its command would be refused.
  show(state) {
    const why = command => refusal(state, command), { exposure = {}, whiteBalance: balance = {}, focus = {}, torch, stabilization } = state;
    const absent = absence(exposure);
    this.mode.show(exposure.mode, absent ?? why("setExposureMode"));
    this.lock.show(exposure.isLocked, absent ?? why("lockExposure"));
    this.priority.show(exposure.shutterPriority, absent ?? why("shutterPriority"));
    this.iso.show(exposure.iso, exposure.isoRange, absent ?? why("setISO"));
    this.shutter.show(exposure.duration, exposure.durationRange, absent ?? why("setShutter"));
    this.showAngles(exposure, absent ?? why("setShutter"));
    this.balance.show(balance.mode, absence(balance) ?? why("setWhiteBalance"));
    this.temperature.show(balance.temperature, balance.range, absence(balance) ?? why("setWhiteBalance"));
    this.tint.show(balance.tint, balance.tintRange, why("setTint"));
    setText(this.focusState, focus.state === "unsupported" ? "" : focus.state ?? UNKNOWN);
    setText(this.focusWhy, why("unlockFocus") ?? "");
    setEnabled(this.focus, why("unlockFocus") === null, why("unlockFocus"));
    this.torch.show(torch?.value, torch?.range ?? [0, 1], absence(torch) ?? why("setTorch"));
    this.steady.show(stabilization?.value, absence(stabilization) ?? why("setStabilization"));
  }

  showAngles(exposure, why) {
    const angles = exposure.angles ?? [];
    const nearest = angles.find(({ angle }) => Math.abs(angle - exposure.angle) < 0.05 + angle * 0.005);
    const present = nearest ? [] : [["", Number.isFinite(exposure.angle) ? `${exposure.angle.toFixed(1)}°` : UNKNOWN]];
    const none = angles.length === 0 ? "The camera has no shutter that can be set." : null;
    this.angle.show(nearest?.angle ?? "", [...present, ...angles.map(({ angle, label }) => [String(angle), label])], why ?? none);
  }
}
