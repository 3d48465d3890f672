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

/// Escape in a field brings its former value back, and leaves the panel as it is.
function leaveField(event, former) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  event.target.value = former;
  event.target.select();
}

/// By how many thousandths of its length an arrow key moves a slider.
const SLIDER_STEPS = { ArrowLeft: -10, ArrowDown: -10, ArrowRight: 10, ArrowUp: 10, PageDown: -100, PageUp: 100 };

/// A slider, and its value in a field into which another one can be typed.
class SliderRow extends Row {
  /// - Parameters: text(value) is what is shown; number(text) is the value that was typed, NaN for none; send(value) is called while the slider is
  ///   dragged, at its end, and for a typed value.
  constructor(title, { text, number = typedNumber, send, isLogarithmic = false }) {
    super(title, make("input", { type: "range", min: 0, max: 1000, step: 1 }));
    Object.assign(this, { title, text, number, isLogarithmic });
    this.pace = new Pace(send);
    this.control.addEventListener("input", () => this.dragged());
    this.control.addEventListener("change", () => { if (this.dragged()) this.release(); });
    this.heedFingers();
    this.control.addEventListener("keydown", event => this.press(event));
    for (const name of ["pointerdown", "blur"]) this.control.addEventListener(name, () => { this.wish = null; });
    this.value = make("input", { type: "text", class: "figures typed", "aria-label": `${title}, typed`, autocomplete: "off", enterKeyHint: "done", maxLength: 20, onfocus: () => this.value.select(),
      oninput: () => { this.isTyped = true; }, onchange: () => this.typed(), onblur: () => { this.isTyped = false; this.say(this.last); },
      onkeydown: event => leaveField(event, this.text(this.last)) });
    this.element = make("div", { class: "row" }, this.label, this.value, this.control, this.why);
  }

  enable(reason) {
    super.enable(reason);
    this.value.disabled = reason !== null;
  }

  /// A browser moves a slider as soon as a finger touches it, even if the finger then scrolls the panel. So what a finger does counts when it has
  /// moved along the slider or was lifted, and is taken back if it scrolls.
  heedFingers() {
    const { control } = this;
    control.addEventListener("pointerdown", ({ pointerType, clientX, clientY }) => {
      this.isScrolled = false;
      this.touch = pointerType === "touch" ? { x: clientX, y: clientY, place: control.value, value: this.last } : null;
    });
    control.addEventListener("pointermove", ({ clientX, clientY }) => {
      const along = Math.abs(clientX - this.touch?.x);
      if (along > TAP_REACH && along > Math.abs(clientY - this.touch.y)) this.touch = null;
    });
    control.addEventListener("pointerup", () => { if (this.touch) { this.touch = null; this.dragged(); } });
    control.addEventListener("pointercancel", () => { this.isScrolled = this.touch !== null; this.takeBack(); });
  }

  takeBack() {
    if (!this.touch) return;
    this.control.value = this.touch.place;
    this.say(this.touch.value);
    this.isHeld = false;
  }

  /// - Returns: whether the slider's place counts.
  dragged() {
    if (this.touch) {
      if (this.isScrolled) this.takeBack();
      return false;
    }
    this.turned();
    return true;
  }

  turned() {
    this.isHeld = true;
    const value = fromShare(this.control.value / 1000, this.range, this.isLogarithmic);
    if (this.text(value) !== this.value.value) feel();
    this.say(value);
    this.pace.offer(value);
  }

  release() {
    this.pace.flush();
    this.isHeld = false;
  }

  /// The next key goes on from where the last one came to, even if the camera rounded that back.
  press(event) {
    const by = SLIDER_STEPS[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.wish = Math.min(Math.max((this.wish ?? Number(this.control.value)) + by, 0), 1000);
    this.control.value = String(this.wish);
    this.turned();
    this.release();
  }

  typed() {
    this.isTyped = false;
    this.wish = null;
    const [low, high] = this.range, wanted = this.number(this.value.value);
    if (Number.isNaN(wanted)) say(`${this.title}: this is not a value. Type one such as ${this.text(this.last)}.`);
    else if (wanted < low || wanted > high) say(`${this.title} goes from ${this.text(low)} to ${this.text(high)}.`);
    if (!Number.isNaN(wanted)) {
      this.last = Math.min(Math.max(wanted, low), high);
      this.pace.offer(this.last);
      this.release();
    }
    this.say(this.last);
  }

  say(value) {
    this.last = value;
    if (!this.isTyped && this.value.value !== this.text(value)) this.value.value = this.text(value);
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
