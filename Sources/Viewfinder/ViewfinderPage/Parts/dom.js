// Helpers for the elements of the page. Text from the camera or the server is only ever set as text.

const find = id => document.getElementById(id);

/// An element with properties (`on…` are listeners, `aria…` and `data-…` attributes), and children, which are elements or texts.
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.includes("-") || key === "role" || key === "for" || key === "class") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function setText(element, text) { if (element.textContent !== text) element.textContent = text; }

/// Enables or disables a control. A disabled one shows the reason as its title, and reports it to a screen reader.
function setEnabled(element, isEnabled, reason) {
  element.disabled = !isEnabled;
  const why = isEnabled ? null : reason || null;
  if (why) element.title = why; else element.removeAttribute("title");
  if (why) element.setAttribute("aria-description", why); else element.removeAttribute("aria-description");
}

function setPressed(element, isPressed) { element.setAttribute("aria-pressed", String(Boolean(isPressed))); }

/// Replaces the children of an element.
function fill(list, rows) { list.replaceChildren(...rows); }

const SVG = "http://www.w3.org/2000/svg";
function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/// A short vibration for a step, on devices that can. A browser allows it only after the user has touched the page.
function feel() { if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(5); }

/// By how many pixels a finger that taps may move.
const TAP_REACH = 5;

let toastTimer = 0;
/// Shows a sentence for six seconds: a problem, such as the reason of a refusal, or with `isGood` what was done.
function say(sentence, isGood = false) {
  setText(find("notice"), sentence);
  find("notice").classList.toggle("is-good", isGood);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => setText(find("notice"), ""), 6000);
}
