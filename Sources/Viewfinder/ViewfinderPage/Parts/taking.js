// Photos and recordings: the shutter, its flash and its countdown, the record button and the time-code, the function buttons.

const FLASH_TIME = 60;
/// Seconds for which the time-code runs on without a new state of the recording.
const TIMECODE_AHEAD = 1;

class TakingView {
  constructor(connection) {
    this.connection = connection;
    this.shutter = find("shutter");
    this.record = find("record");
    this.shutter.addEventListener("click", () => this.photo());
    this.record.addEventListener("click", () => this.toggleRecording());
    for (const index of [0, 1]) find(`function-${index + 1}`).addEventListener("click", () => this.function(index));
    connection.onState((state, old) => this.show(state, old));
    connection.onEvent(({ event }) => { if (event === "flash") this.flash(); });
    setInterval(() => this.tick(), 50);
  }

  photo() {
    if (this.shutter.disabled) return say(this.reason);
    this.connection.command("takePhoto");
  }

  toggleRecording() {
    if (this.record.disabled) return say(this.record.title);
    this.connection.command(this.connection.state?.isRecording ? "stopRecording" : "startRecording");
  }

  function(index) {
    const exposure = this.connection.state?.exposure ?? {}, ability = this.connection.state?.functionButtons?.[index];
    if (ability === "exposureLock") this.connection.command("lockExposure", { on: !exposure.isLocked });
    if (ability === "shutterPriority") this.connection.command("shutterPriority", { on: !exposure.shutterPriority });
  }

  flash() {
    const element = find("flash");
    element.classList.add("is-lit");
    clearTimeout(this.flashTimer);
    this.flashTimer = setTimeout(() => element.classList.remove("is-lit"), FLASH_TIME);
  }

  show(state, old) {
    this.showShutter(state);
    this.showRecording(state, old);
    const { functionButtons = [] } = state ?? {};
    [0, 1].forEach(index => this.showFunction(find(`function-${index + 1}`), functionButtons[index], state));
  }

  showShutter(state) {
    const wait = secondsUntil(state?.queue?.limitedUntil, Date.now() / 1000);
    this.reason = shutterReason(state, wait);
    setEnabled(this.shutter, this.reason === null, this.reason);
    setText(find("countdown"), wait > 0 ? String(wait) : "");
    // The button shows the seconds; the text for a screen reader has none, so that it is not read anew each second.
    setText(find("shutter-reason"), wait > 0 ? "The backend takes no scans for now; the shutter waits." : this.reason ?? "");
  }

  showRecording(state, old) {
    const { isRecording = false, recording = {}, selectedFrameRate: rate } = state ?? {};
    setPressed(this.record, isRecording);
    this.record.setAttribute("aria-label", isRecording ? "Stop the recording" : "Record");
    const reason = state ? refusal(state, isRecording ? "stopRecording" : "startRecording") : "There is no connection.";
    setEnabled(this.record, reason === null, reason);
    this.showEnd(recording.ended);
    find("timecode").hidden = !isRecording;
    if (!isRecording) this.base = null;
    else if (!this.base || recording.timecode !== old?.recording?.timecode)
      this.base = { seconds: timecodeSeconds(recording.timecode, rate) ?? 0, at: performance.now(), rate };
    this.tick();
  }

  /// Says that a recording has ended by itself, until the user closes the message or the next recording begins.
  showEnd(ended) {
    const said = ended?.trouble ? `The recording ${ended.file} ended by itself. ${sentence(ended.trouble)}` : null;
    if (said === null) this.readEnd = null;
    const isNew = said !== null && said !== this.readEnd;
    setText(find("ended-why"), isNew ? said : "");
    if (find("ended").hidden !== !isNew) find("ended").hidden = !isNew;
    find("ended-close").onclick = () => { this.readEnd = said; this.showEnd(ended); this.record.focus(); };
  }

  /// Updates the time-code and the countdown.
  tick() {
    if (this.base) {
      const on = Math.min((performance.now() - this.base.at) / 1000, TIMECODE_AHEAD);
      setText(find("timecode"), timecodeText(this.base.seconds + on, this.base.rate));
    }
    if (this.connection.state?.queue?.limitedUntil) this.showShutter(this.connection.state);
  }

  showFunction(button, ability, state) {
    const { mode, isLocked, shutterPriority } = state?.exposure ?? {};
    const isKnown = ability === "exposureLock" || ability === "shutterPriority";
    button.hidden = !isKnown;
    if (!isKnown) return;
    const isLock = ability === "exposureLock", reason = refusal(state, isLock ? "lockExposure" : "shutterPriority");
    button.dataset.ability = ability;
    setText(button, isLock ? "AE" : "180°");
    button.setAttribute("aria-label", isLock ? "Exposure lock" : "Shutter priority");
    setPressed(button, isLock ? isLocked : shutterPriority);
    setEnabled(button, mode !== undefined && reason === null, reason);
  }
}

/// Why no photo can be taken; null if one can be taken.
function shutterReason(state, wait) {
  if (!state) return "There is no connection.";
  if (wait > 0) return `The backend takes no scans for now; the shutter waits ${wait} s.`;
  const { isShutterEnabled, reason } = state.photos ?? {};
  return isShutterEnabled ? null : sentence(reason) ?? "The shutter is disabled.";
}
