// Every setting in the state, with a title in words if this page knows it.

const ABILITIES = [["None", "none"], ["Lock Exposure", "Lock exposure"], ["Shutter Priority", "Shutter priority"]];
const same = texts => texts.map(text => [text, text]);
const SETTINGS = {
  selectedResolutionRaw: ["Size of the picture", same(["4K", "1080p", "720p"])],
  selectedFrameRate: ["Frames a second"],
  isAppleLogEnabled: ["Logarithmic format"],
  isVideoStabilizationEnabled: ["Stabilisation"],
  lastLUT: ["Path of the look"],
  selectedCodecRaw: ["Codec of recordings", same(["HEVC", "H.264", "MJPEG", "FFV1", "ProRes 422 HQ"])],
  isBakeInLUTEnabled: ["Look in photos and recordings"],
  isFlashlightEnabled: ["Torch while recording"],
  flashlightIntensity: ["Level of the torch, 0.001 to 1"],
  isExposureLockEnabledDuringRecording: ["Exposure held while recording"],
  isWhiteBalanceLockEnabled: ["White balance held while recording"],
  isDebugEnabled: ["Overlay may be shown"],
  isDebugOverlayVisible: ["Overlay"],
  isEVBiasVisible: ["Exposure wheel"],
  functionButton1Ability: ["First function button", ABILITIES],
  functionButton2Ability: ["Second function button", ABILITIES],
};

class SettingsPanel {
  constructor(connection) {
    this.connection = connection;
    this.rows = new Map();
    this.element = make("div");
  }

  show({ settings = {} }) {
    for (const key of [...Object.keys(SETTINGS), ...Object.keys(settings)]) {
      if (!(key in settings)) continue;
      if (!this.rows.has(key)) this.rows.set(key, this.add(key, settings[key]));
      this.rows.get(key)(settings[key]);
    }
  }

  /// Makes a row, and returns a function that shows a value in it.
  add(key, value) {
    const [title, choices] = SETTINGS[key] ?? [key], set = value => this.set(key, value);
    if (typeof value === "boolean") {
      const row = new SwitchRow(title, set);
      this.element.append(row.element);
      return value => row.show(value);
    }
    if (choices) {
      const row = new ChoiceRow(title, set);
      this.element.append(row.element);
      return value => row.show(value, choices);
    }
    return this.addField(title, typeof value === "number", set);
  }

  addField(title, isNumber, set) {
    const row = new Row(title, make("input", { type: isNumber ? "number" : "text", step: "any", maxLength: 4096 }));
    let former = "";
    row.control.addEventListener("change", () => set(isNumber ? row.control.valueAsNumber : row.control.value));
    row.control.addEventListener("keydown", event => leaveField(event, former));
    this.element.append(make("div", { class: "row" }, row.label, row.control, row.why));
    return value => {
      former = String(value);
      if (document.activeElement !== row.control) row.control.value = former;
    };
  }

  async set(key, value) {
    if (Number.isNaN(value)) return say("This is not a number. Type one, such as 30.");
    const answer = await this.connection.command("setSetting", { key, value });
    // A message about the value before does not stay.
    if (answer.status === "accepted") say(key === "lastLUT" && value ? "The look is chosen. The panel Camera shows it in the picture." : "", true);
    // A value that was refused is replaced by the former one.
    if (answer.status === "refused" && this.connection.state) this.rows.get(key)?.(this.connection.state.settings?.[key]);
    if (answer.result?.note) say(sentence(answer.result.note));
  }
}
