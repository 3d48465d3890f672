// The marks that are drawn over the picture: outlines of spines with their text, subjects of the dock and its region. Spines were read in an earlier picture:
// their outlines are moved as the picture has moved since, and are left out if this movement is not known.

class Marks {
  constructor(connection, picture, surface) {
    Object.assign(this, { connection, picture, surface });
    this.svg = find("marks");
    this.drawn = "";
    this.trail = new Trail();
    this.small = new OffscreenCanvas(1, 1).getContext("2d", { alpha: false, willReadFrequently: true });
    connection.onState(() => this.paint());
    picture.onDrawn(header => { this.follow(header); this.paint(); });
    new ResizeObserver(() => this.paint()).observe(surface);
  }

  geometry() {
    const { clientWidth: width, clientHeight: height } = this.surface;
    return this.picture.geometry({ width, height });
  }

  /// Records the movement of the picture while spines are read.
  follow(header) {
    if (!header || !Array.isArray(this.connection.state?.spines?.items)) { this.trail = new Trail(); return; }
    const { canvas } = this.picture, scale = COPY_SIDE / Math.max(canvas.width, canvas.height), { small } = this;
    const [width, height] = [canvas.width, canvas.height].map(side => Math.max(1, Math.round(side * scale)));
    if (small.canvas.width !== width || small.canvas.height !== height) [small.canvas.width, small.canvas.height] = [width, height];
    small.imageSmoothingQuality = "medium";
    small.drawImage(canvas, 0, 0, width, height);
    const { data } = small.getImageData(0, 0, width, height), grey = new Uint8Array(width * height);
    for (let index = 0; index < grey.length; index++) grey[index] = (data[4 * index] + 2 * data[4 * index + 1] + data[4 * index + 2]) / 4;
    this.trail.note({ width, height, grey }, header.time, turnedRect(this.picture.part(header), header.rotation ?? 0, false));
  }

  paint() {
    const geometry = this.geometry(), { spines, dock, rotation } = this.connection.state ?? {};
    const region = this.region ?? (dock?.roi ? rectBy(point => toPreview(point, rotation), dock.roi) : null);
    const shift = spines?.items?.length ? this.trail.since(spines.time) : null;
    const key = JSON.stringify([geometry, rotation, shift ? [spines.items, shift] : null, dock?.subjects, dock?.selected, region]);
    if (key === this.drawn) return;
    this.drawn = key;
    if (!geometry) return fill(this.svg, []);
    const edges = geometry.edges();
    this.svg.style.clipPath = `inset(${edges.map(edge => `${tenth(edge)}px`).join(" ")})`;
    const here = point => { const [x, y] = toPreview(point, rotation); return [x + shift[0], y + shift[1]]; };
    fill(this.svg, [
      ...(shift ? spines.items : []).slice(0, 200).flatMap(spine => drawSpine(spine, geometry, here)),
      ...(dock?.subjects ?? []).slice(0, 50).flatMap(subject => drawSubject(subject, geometry, rotation, subject.id === dock.selected)),
      ...(region ? [drawRect(region, geometry, { "stroke-dasharray": "6 4", "data-mark": "region" })] : []),
    ]);
  }
}

function drawSpine({ id, outline, title, text, certainty }, geometry, here) {
  if (!Array.isArray(outline)) return [];
  const points = outline.map(point => geometry.toSurface(here(point)));
  const edge = draw("polygon", { points: points.map(pair => pair.map(tenth).join(",")).join(" "), fill: "none", stroke: "#fff", "stroke-width": 1, "data-mark": "spine", "data-id": id });
  const words = title || text;
  if (!words) return [edge];
  const left = Math.min(...points.map(([x]) => x)), top = Math.min(...points.map(([, y]) => y));
  const shown = certainty ? `${words}, ${certainty}` : words;
  return [edge, ...caption(shown, left, top)];
}

function drawSubject({ id, rect: told, confidence }, geometry, rotation, isSelected) {
  const rect = rectBy(point => toPreview(point, rotation), told), [x, y] = geometry.rectToSurface(rect);
  const box = drawRect(rect, geometry, { stroke: isSelected ? "rgb(255 59 48)" : "#fff", "data-mark": "subject", "data-id": id });
  return [box, ...caption(`${id} ${percentText(confidence)}`, x, y)];
}

function drawRect(rect, geometry, more) {
  const [x, y, width, height] = geometry.rectToSurface(rect).map(tenth);
  return draw("rect", { x, y, width, height, fill: "none", stroke: "#fff", "stroke-width": 1, ...more });
}

/// A text on a black box, above a point.
function caption(text, x, y) {
  const words = text.slice(0, 60), at = [Math.max(2, tenth(x)), Math.max(14, tenth(y) - 4)];
  return [
    draw("rect", { x: at[0] - 2, y: at[1] - 12, width: words.length * 8 + 4, height: 16, fill: "rgb(0 0 0 / .7)" }),
    draw("text", { x: at[0], y: at[1], fill: "#fff" }, words),
  ];
}

function tenth(value) { return Math.round(value * 10) / 10; }
