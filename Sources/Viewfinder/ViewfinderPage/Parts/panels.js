// The row of controls, and one panel at a time as glass over the picture. The exposure wheel is such a panel too: it gives way to another one.

/// Glass may delay the pictures below it by so many milliseconds, half a frame of most screens. It is judged by so many pictures, after so long.
const GLASS_COST = 8, GLASS_PICTURES = 60, GLASS_TIME = 3000;

/// Takes the blur away for good if pictures wait longer for their frame since glass lies over them. Without a graphics card it may cost too much.
function weighGlass(picture) {
  const wait = () => { const waits = picture.shown.slice(-GLASS_PICTURES).map(({ wait }) => wait).sort((a, b) => a - b); return waits[waits.length >> 1]; };
  const before = wait();
  setTimeout(() => { if (wait() - before > GLASS_COST) document.documentElement.classList.add("is-plain"); }, GLASS_TIME);
}

class Panels {
  /// - Parameter panels: name → { title, key, panel, isAside }; a panel has `element`, and `show(state)` unless it never changes. `isAside`: its button is
  ///   left out where fingers operate.
  constructor(connection, panels, { showWheel, lift }) {
    Object.assign(this, { connection, panels, showWheel, lift, open: null });
    this.element = find("panel");
    this.bias = this.button("bias", "Exposure compensation", "↑", "wheel", () => this.toggleWheel());
    this.buttons = new Map(Object.entries(panels).map(([name, { title, key, isAside }]) => [name, this.button(name, title, key, "panel", () => this.toggle(name), isAside)]));
    fill(find("menu"), [this.bias, ...this.buttons.values()]);
    // An on-screen keyboard makes the window lower: the field that is typed into stays in view.
    addEventListener("resize", () => { if (find("panel-body").contains(document.activeElement)) document.activeElement.scrollIntoView({ block: "nearest" }); });
    find("panel-close").append(icon("close"));
    find("panel-close").addEventListener("click", () => this.close());
    connection.onState(() => this.show());
  }

  button(name, title, key, controls, onclick, isAside) {
    const button = make("button", { type: "button", "data-panel": name, "aria-expanded": "false", "aria-controls": controls, "aria-label": title, title: `${title} (key ${key.toUpperCase()})`, onclick: () => { feel(); onclick(); } }, icon(name), make("span", {}, title));
    button.classList.toggle("is-aside", Boolean(isAside));
    return button;
  }

  toggle(name) { if (this.open === name) this.close(); else this.begin(name); }

  toggleWheel() {
    this.showWheel(this.open !== null || !wheel.isShown);
    this.bias.focus();
  }

  begin(name) {
    if (this.open === null) weighGlass(picture);
    this.open = name;
    setText(find("panel-title"), this.panels[name].title);
    this.mark();
    this.show();
    find("panel-body").scrollTop = 0;
    find("panel-title").focus();
  }

  close() {
    const button = this.buttons.get(this.open);
    this.open = null;
    this.mark();
    button?.focus();
  }

  mark() {
    this.element.hidden = this.open === null;
    this.lift(this.open !== null);
    for (const [name, button] of this.buttons) button.setAttribute("aria-expanded", String(name === this.open));
    this.bias.setAttribute("aria-expanded", String(this.open === null && wheel.isShown));
  }

  /// Shows the open panel, and in the row the exposure compensation and the format. Without a connection no old state is shown.
  show() {
    const { state } = this.connection, { bias, mode } = state?.exposure ?? {}, { format, spines } = state ?? {};
    const text = Number.isFinite(bias?.value) ? biasText(bias.value) : null;
    if (mode === "manual") this.name(this.bias, "Exposure compensation", "without effect in manual exposure", "manual");
    else this.name(this.bias, "Exposure compensation", text, text?.replace(" EV", "") ?? "EV");
    this.name(this.buttons.get("format"), "Format", format ? formatText(format) : null, format ? formatText(format) : "Format");
    this.name(this.buttons.get("shelf"), "Books", spines?.items?.length ? `${sureCount(spines)} of ${spines.items.length} spines sure` : null, spines?.items?.length ? `${sureCount(spines)} sure` : "Books");
    this.bias.setAttribute("aria-expanded", String(this.open === null && wheel.isShown));
    if (this.open === null) return;
    const { panel } = this.panels[this.open];
    if (state) panel.show?.(state);
    const content = state || !panel.show ? panel.element : this.nothing ??= make("p", {}, "There is no connection.");
    if (find("panel-body").firstChild !== content) fill(find("panel-body"), [content]);
    this.shorten();
  }

  /// A reason that holds for many rows is seen once; a screen reader has it in each.
  shorten() {
    const seen = new Set();
    for (const why of this.element.querySelectorAll(".row > .why:not(:empty)")) {
      why.classList.toggle("unseen", seen.has(why.textContent));
      seen.add(why.textContent);
    }
  }

  /// Names a button of the row with the value that it sets or tells, if there is one; `short` is what is seen of it.
  name(button, title, value, short) {
    setText(button.lastChild, short);
    button.setAttribute("aria-label", value ? `${title}, ${value}` : title);
  }
}
