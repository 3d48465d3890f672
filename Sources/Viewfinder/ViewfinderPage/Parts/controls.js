// Rows of a panel: a slider, a switch, a choice. A disabled row shows the reason.

/// The least time between two values that a dragged slider sends, in milliseconds.
const SEND_INTERVAL = 100;

/// Calls `send(value)` at most once in each interval; the last value is never left out.
class Pace {
  constructor(send, interval = SEND_INTERVAL) { this.send = send; this.interval = interval; this.sentAt = -Infinity; }

  offer(value) {
    this.value = value;
    if (this.timer) return;
    const wait = this.sentAt + this.interval - performance.now();
    if (wait <= 0) return this.flush();
    this.timer = setTimeout(() => this.flush(), wait);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    this.sentAt = performance.now();
    this.send(this.value);
  }
}

let rowCount = 0;

class Row {
  constructor(title, control) {
    const id = `row-${++rowCount}`;
    this.control = control;
    control.id = id;
    control.setAttribute("aria-describedby", `${id}-why`);
    this.label = make("label", { for: id }, title);
    this.value = make("output", { for: id });
    this.why = make("p", { class: "why", id: `${id}-why` });
  }

  enable(reason) {
    this.control.disabled = reason !== null;
    setText(this.why, reason ?? "");
  }
}

class SliderRow extends Row {
  /// - Parameters: text(value) is what is shown; send(value) is called while the slider is dragged and at its end.
  constructor(title, { text, send, isLogarithmic = false }) {
    super(title, make("input", { type: "range", min: 0, max: 1000, step: 1 }));
    Object.assign(this, { text, isLogarithmic });
    this.pace = new Pace(send);
    this.control.addEventListener("input", () => this.turned());
    this.control.addEventListener("change", () => { this.turned(); this.pace.flush(); this.isHeld = false; });
    this.element = make("div", { class: "row" }, this.label, this.value, this.control, this.why);
  }

  turned() {
    this.isHeld = true;
    const value = fromShare(this.control.value / 1000, this.range, this.isLogarithmic);
    if (this.text(value) !== this.value.textContent) feel();
    this.say(value);
    this.pace.offer(value);
  }

  say(value) {
    setText(this.value, this.text(value));
    this.control.setAttribute("aria-valuetext", this.text(value));
  }

  show(value, range, reason) {
    const isKnown = Array.isArray(range) && range.length === 2 && range[1] > range[0];
    this.range = isKnown ? range : [0, 1];
    this.enable(reason ?? (isKnown ? null : "The camera reports no range for this control."));
    if (this.isHeld) return;
    this.say(value ?? NaN);
    if (Number.isFinite(value)) this.control.value = String(Math.round(toShare(value, this.range, this.isLogarithmic) * 1000));
  }
}

/// Where a value lies in its range, 0 to 1. `isLogarithmic`: equal steps multiply the value by the same factor.
function toShare(value, [low, high], isLogarithmic) {
  const share = isLogarithmic && low > 0 ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(Math.max(share, 0), 1);
}

function fromShare(share, [low, high], isLogarithmic) {
  return isLogarithmic && low > 0 ? low * (high / low) ** share : low + (high - low) * share;
}

class SwitchRow extends Row {
  constructor(title, send) {
    super(title, make("input", { type: "checkbox" }));
    this.control.addEventListener("change", () => { feel(); send(this.control.checked); });
    this.element = make("div", { class: "row" }, this.label, this.control, this.why);
  }

  show(isOn, reason = null) {
    this.control.checked = Boolean(isOn);
    this.enable(reason);
  }
}

class ChoiceRow extends Row {
  constructor(title, send) {
    super(title, make("select"));
    this.control.addEventListener("change", () => { feel(); send(this.control.value); });
    this.element = make("div", { class: "row" }, this.label, this.control, this.why);
  }

  /// - Parameter choices: pairs of value and label.
  show(value, choices, reason = null) {
    const key = JSON.stringify(choices);
    if (key !== this.key) {
      this.key = key;
      fill(this.control, choices.map(([value, label]) => make("option", { value }, label)));
    }
    this.control.value = String(value);
    this.enable(reason);
  }
}

/// A group of buttons, of which at most one is pressed.
class ButtonsRow {
  constructor(title, choices, send) {
    this.send = send;
    this.why = make("p", { class: "why" });
    this.group = make("div", { class: "buttons wide", role: "group", "aria-label": title });
    this.element = make("div", { class: "row" }, make("span", {}, title), this.group, this.why);
    this.offer(choices);
  }

  /// Replaces the choices: pairs of value and label.
  offer(choices) {
    const key = JSON.stringify(choices);
    if (key === this.key) return;
    this.key = key;
    this.buttons = choices.map(([value, label]) => [value, make("button", { type: "button", onclick: () => { feel(); this.send(value); } }, label)]);
    fill(this.group, this.buttons.map(([, button]) => button));
  }

  show(value, reason = null) {
    for (const [own, button] of this.buttons) {
      setPressed(button, own === value);
      setEnabled(button, reason === null, reason);
    }
    setText(this.why, reason ?? "");
  }
}

/// The reason why a command would be refused now, as a sentence. Null if it would be performed.
function refusal(state, command) { return sentence(state?.refusals?.[command]); }

/// Turns a clause into a sentence.
function sentence(clause) {
  if (!clause) return null;
  return `${clause[0].toUpperCase()}${clause.slice(1)}${/[.!?]$/.test(clause) ? "" : "."}`;
}

/// Why a part of the state is not available, as a sentence; null if it is.
function absence(part) { return sentence(part?.unsupported); }
