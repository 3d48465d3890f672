// The overlay: ten figures of the camera and the latency, from the state.

const OVERLAY_FIELDS = [
  ["resolution", "Resolution"], ["fps", "FPS"], ["codec", "Codec"], ["iso", "ISO"], ["whiteBalance", "WB"], ["tint", "Tint"],
  ["shutter", "Shutter"], ["bias", "EV"], ["stabilization", "Stabilisation"], ["colorSpace", "Colour"], ["latency", "Latency"],
];

class OverlayView {
  constructor(connection) {
    this.element = find("overlay");
    this.fields = OVERLAY_FIELDS.map(([key, title]) => [key, make("dt", {}, title), make("dd", { "data-field": key })]);
    fill(this.element, this.fields.flatMap(([, title, value]) => [title, value]));
    connection.onState(state => this.show(state));
  }

  show(state) {
    const overlay = state?.overlay;
    this.element.hidden = !overlay?.isVisible || state.settings?.isDebugEnabled === false;
    for (const [key, , value] of this.fields) setText(value, overlay?.[key] ?? UNKNOWN);
  }
}
