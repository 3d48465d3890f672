// One panel at a time, beside the picture or below it.

class Panels {
  /// - Parameter panels: name → { title, key, panel }; a panel has `element`, and `show(state)` unless it never changes.
  constructor(connection, panels) {
    Object.assign(this, { connection, panels, open: null });
    this.element = find("panel");
    this.buttons = new Map(Object.entries(panels).map(([name, { title, key }]) =>
      [name, make("button", { type: "button", "aria-expanded": "false", "aria-controls": "panel", title: `Key ${key.toUpperCase()}`, onclick: () => this.toggle(name) }, title)]));
    fill(find("menu"), [...this.buttons.values()]);
    find("panel-close").addEventListener("click", () => this.close());
    connection.onState(() => this.show());
  }

  toggle(name) { if (this.open === name) this.close(); else this.begin(name); }

  begin(name) {
    this.open = name;
    setText(find("panel-title"), this.panels[name].title);
    this.mark();
    this.show();
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
    for (const [name, button] of this.buttons) button.setAttribute("aria-expanded", String(name === this.open));
  }

  /// Shows the open panel; without a connection no old state is shown.
  show() {
    if (this.open === null) return;
    const { panel } = this.panels[this.open], state = this.connection.state;
    if (state) panel.show?.(state);
    const content = state || !panel.show ? panel.element : this.nothing ??= make("p", {}, "There is no connection.");
    if (find("panel-body").firstChild !== content) fill(find("panel-body"), [content]);
  }
}
