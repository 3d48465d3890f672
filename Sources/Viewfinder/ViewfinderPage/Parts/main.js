// Builds the page around the picture.

const surface = find("surface");
const marks = new Marks(connection, picture, surface);
const framing = new FramingView(picture, marks);
const wheel = new WheelView(connection);
const zoom = new ZoomView(connection);
const focus = new FocusView(connection, picture, marks);
const dock = new DockPanel(connection, marks);
const shelf = new ShelfPanel(connection, marks);
const taking = new TakingView(connection);
const session = new SessionView(connection, picture);
const overlay = new OverlayView(connection);
const gallery = new Gallery(connection);

/// Shows or hides the wheel, on the pages of all clients.
function showWheel(isVisible) {
  if (isVisible && panels.open) panels.close();
  if (isVisible) weighGlass(picture);
  wheel.appear(isVisible);
  panels.mark();
  connection.command("setSetting", { key: "isEVBiasVisible", value: isVisible });
}

/// Shows or hides the wheel and the overlay, as a swipe does.
function showControls(isVisible) {
  showWheel(isVisible);
  connection.command("setOverlay", { visible: isVisible });
}

/// Tells what was read on a spine.
function showSpine(spine) {
  shelf.tell(spine);
  if (panels.open === "shelf") panels.show(); else panels.begin("shelf");
}

const stage = new Stage(surface, { focus, zoom, dock, marks, showControls, showSpine });
const middle = lock => focus.at(surface.clientWidth / 2, surface.clientHeight / 2, lock);
const exposure = () => connection.state?.exposure ?? {};

const keys = new Keys([
  [[" ", "p"], "Space, P", "Take a photo", () => taking.photo()],
  [["r"], "R", "Record, and stop", () => taking.toggleRecording()],
  [["ArrowUp"], "↑", "Show the exposure wheel and the overlay", () => showControls(true)],
  [["ArrowDown"], "↓", "Hide the exposure wheel and the overlay", () => showControls(false)],
  [["ArrowLeft", ","], "←, comma", "Exposure a tenth of an EV down", () => wheel.step(-1)],
  [["ArrowRight", "."], "→, full stop", "Exposure a tenth of an EV up", () => wheel.step(1)],
  [["0"], "0", "Exposure compensation zero", () => wheel.reset()],
  [["+", "="], "+", "Zoom in", () => zoom.by(1.1)],
  [["-"], "-", "Zoom out", () => zoom.by(1 / 1.1)],
  [["w"], "W", "Zoom out smoothly, all the way", () => zoom.ramp(zoom.present.min ?? 1)],
  [["q"], "Q", "Stop a smooth zoom", () => connection.command("cancelZoom")],
  ["123456789".split(""), "1 to 9", "Select the lens of this number", event => zoom.lens(Number(event.key) - 1)],
  [["v"], "V", "Show the whole picture, or fill the window", () => framing.toggle()],
  [["f"], "F, Shift F", "Focus in the middle; with Shift, lock the focus there", event => middle(event.shiftKey)],
  [["u"], "U", "Continuous focus", () => connection.command("unlockFocus")],
  [["l"], "L", "Exposure lock on, off", () => connection.command("lockExposure", { on: !exposure().isLocked })],
  [["s"], "S", "Shutter priority on, off", () => connection.command("shutterPriority", { on: !exposure().shutterPriority })],
  [["o"], "O", "Overlay on, off", () => connection.command("setOverlay", { visible: !connection.state?.overlay?.isVisible })],
  [["x"], "X", "Exposure and colour", () => panels.toggle("exposure")],
  [["m"], "M", "Format", () => panels.toggle("format")],
  [["c"], "C", "Camera and look", () => panels.toggle("camera")],
  [["g"], "G", "Gallery of photos and films", () => gallery.open()],
  [["b"], "B", "Books, queue and library", () => panels.toggle("shelf")],
  [["d"], "D", "Dock", () => panels.toggle("dock")],
  [["t"], "T", "Settings", () => panels.toggle("settings")],
  [["?", "h"], "?, H", "These keys", () => panels.toggle("keys")],
  [["Escape"], "Esc", "Close the panel, or end following the subject", () => { if (panels.open && !dock.isDrawing) panels.close(); else dock.escape(); }],
]);

const panels = new Panels(connection, {
  format: { title: "Format", key: "m", panel: new FormatPanel(connection) },
  exposure: { title: "Exposure", key: "x", panel: new ExposurePanel(connection) },
  camera: { title: "Camera", key: "c", panel: new CameraPanel(connection) },
  shelf: { title: "Books", key: "b", panel: shelf },
  dock: { title: "Dock", key: "d", panel: dock },
  settings: { title: "Settings", key: "t", panel: new SettingsPanel(connection) },
  keys: { title: "Keys", key: "?", panel: keys, isAside: true },
}, { showWheel, lift: isUp => framing.lift(isUp) });

connection.tellAll();
