// What is drawn over the picture: outlines of spines with their text, subjects of the dock and its region.

class Marks {
  constructor(connection, picture, surface) {
    Object.assign(this, { connection, picture, surface });
    this.svg = find("marks");
    this.drawn = "";
    connection.onState(() => this.paint());
    picture.onDrawn(() => this.paint());
    new ResizeObserver(() => this.paint()).observe(surface);
  }

  geometry() {
    const { clientWidth: width, clientHeight: height } = this.surface;
    return this.picture.geometry({ width, height });
  }

  paint() {
    const geometry = this.geometry(), { spines, dock } = this.connection.state ?? {};
    const region = this.region ?? dock?.roi;
    const key = JSON.stringify([geometry, spines?.items, dock?.subjects, dock?.selected, region]);
    if (key === this.drawn) return;
    this.drawn = key;
    if (!geometry) return fill(this.svg, []);
    fill(this.svg, [
      ...(spines?.items ?? []).slice(0, 200).flatMap(spine => drawSpine(spine, geometry)),
      ...(dock?.subjects ?? []).slice(0, 50).flatMap(subject => drawSubject(subject, geometry, subject.id === dock.selected)),
      ...(region ? [drawRect(region, geometry, { "stroke-dasharray": "6 4", "data-mark": "region" })] : []),
    ]);
  }
}

function drawSpine({ id, outline, title, text, certainty }, geometry) {
  if (!Array.isArray(outline)) return [];
  const points = outline.map(point => geometry.toSurface(point));
  const edge = draw("polygon", { points: points.map(pair => pair.map(tenth).join(",")).join(" "), fill: "none", stroke: "#fff", "stroke-width": 1, "data-mark": "spine", "data-id": id });
  const words = title || text;
  if (!words) return [edge];
  const left = Math.min(...points.map(([x]) => x)), top = Math.min(...points.map(([, y]) => y));
  const shown = Number.isFinite(certainty) ? `${words} ${percentText(certainty)}` : words;
  return [edge, ...caption(shown, left, top)];
}

function drawSubject({ id, rect, confidence }, geometry, isSelected) {
  const [x, y] = geometry.rectToSurface(rect);
  const box = drawRect(rect, geometry, { stroke: isSelected ? "rgb(255 59 48)" : "#fff", "data-mark": "subject", "data-id": id });
  return [box, ...caption(`${id} ${percentText(confidence)}`, x, y)];
}

function drawRect(rect, geometry, more) {
  const [x, y, width, height] = geometry.rectToSurface(rect).map(tenth);
  return draw("rect", { x, y, width, height, fill: "none", stroke: "#fff", "stroke-width": 1, ...more });
}

/// Text on black, above a place.
function caption(text, x, y) {
  const words = text.slice(0, 60), at = [Math.max(2, tenth(x)), Math.max(14, tenth(y) - 4)];
  return [
    draw("rect", { x: at[0] - 2, y: at[1] - 12, width: words.length * 8 + 4, height: 16, fill: "rgb(0 0 0 / .7)" }),
    draw("text", { x: at[0], y: at[1], fill: "#fff" }, words),
  ];
}

function tenth(value) { return Math.round(value * 10) / 10; }
