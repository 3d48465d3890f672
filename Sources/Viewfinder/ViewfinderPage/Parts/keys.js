// The keys, and their list. A key that is typed into a field has no other effect.

/// The keys whose effect is repeated while they are held. Any other has one effect: a held R would start and stop many recordings.
const REPEATED = ["ArrowLeft", ",", "ArrowRight", ".", "+", "=", "-"];

class Keys {
  /// - Parameter rows: [values of `event.key`, names of the keys, what they do, action(event)].
  constructor(rows) {
    this.actions = new Map(rows.flatMap(([keys, , , action]) => keys.map(key => [key, action])));
    const body = rows.map(([, name, what]) => make("tr", {}, make("th", { scope: "row", class: "figures" }, name), make("td", {}, what)));
    this.element = make("table", { id: "keys" }, make("tbody", {}, ...body));
    document.addEventListener("keydown", event => this.press(event));
  }

  press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isTyped(event)) return;
    const action = this.actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || REPEATED.includes(event.key)) action(event);
  }
}

/// Whether the element that has the focus uses this key itself.
function isTyped({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (target.matches("input:not([type=checkbox]):not([type=range]), textarea")) return key !== "Escape";
  const isControl = target.matches("button, a, select, input, video");
  return isControl && (key === " " || key === "Enter" || key.startsWith("Arrow") || target.matches("select") && key.length === 1);
}
