// The marks that are drawn over the picture: outlines of spines with their text, subjects of the dock and its region. Spines were read in an earlier picture:
// their outlines are moved as the picture has moved since, and are left out if this movement is not known. No text lies over another: a spine whose text has no
// room keeps its outline, and a tap on it tells what was read.

/// How an outline is dashed, and the sign before its text: how sure a reading is can be seen without colours.
const CERTAINTIES = { sure: ["none", ""], doubtful: ["6 4", "? "], unlikely: ["2 4", "?? "] };
/// The most letters of a text, the width of a letter, and the height of a line, in pixels.
const LETTERS = 28, LETTER = 7.3, LINE = 16;

class Marks {
  constructor(connection, picture, surface) {
    Object.assign(this, { connection, picture, surface });
    this.svg = find("marks");
    this.drawn = "";
    /// The spines as they are drawn, with the corners of their outlines on the surface.
    this.spines = [];
    /// The title or text of the spine that the user has tapped.
    this.chosen = null;
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
    const key = JSON.stringify([geometry, rotation, shift ? [spines.items, shift] : null, dock?.subjects, dock?.selected, region, this.chosen]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.spines = [];
    if (!geometry) return fill(this.svg, []);
    const here = point => { const [x, y] = toPreview(point, rotation); return geometry.toSurface([x + shift[0], y + shift[1]]); };
    const seen = geometry.seen(), within = ([x, y]) => isInside([x, y], seen);
    this.spines = (shift ? spines.items : []).slice(0, 200).filter(({ outline }) => Array.isArray(outline))
      .map(spine => ({ spine, points: spine.outline.map(here) })).filter(({ points }) => within(middleOf(points)));
    // What lies beyond the picture is cut off; texts may stand beside it.
    const [x, y, width, height] = seen.map(tenth), field = draw("svg", { x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` });
    field.append(
      ...this.spines.flatMap(({ spine, points }) => outlined(spine, points, wordsOf(spine) === this.chosen)),
      ...(dock?.subjects ?? []).slice(0, 50).flatMap(subject => drawSubject(subject, geometry, rotation, subject.id === dock.selected)),
      ...(region ? [drawRect(region, geometry, { "stroke-dasharray": "6 4", "data-mark": "region" })] : []),
    );
    fill(this.svg, [field, ...captions(this.spines, geometry.surface)]);
  }

  /// The spine at a point of the surface; the smallest if several are there.
  spineAt(x, y) {
    const area = ({ points }) => { const [, , width, height] = boxOf(points); return width * height; };
    return this.spines.filter(({ points }) => isWithin([x, y], points)).sort((a, b) => area(a) - area(b))[0]?.spine;
  }

  choose(spine) { this.chosen = spine && wordsOf(spine); this.paint(); }
}

function wordsOf({ title, text }) { return title || text || ""; }
function middleOf(points) { return [0, 1].map(axis => points.reduce((sum, point) => sum + point[axis], 0) / points.length); }
function boxOf(points) { const [xs, ys] = [0, 1].map(axis => points.map(point => point[axis])), [x, y] = [Math.min(...xs), Math.min(...ys)]; return [x, y, Math.max(...xs) - x, Math.max(...ys) - y]; }
/// Whether a point lies within a polygon: a ray from it crosses an odd number of edges.
function isWithin([x, y], points) { return points.filter(([u, v], index) => { const [p, q] = points.at(index - 1); return v > y !== q > y && x < u + (p - u) * (y - v) / (q - v); }).length % 2 === 1; }

function outlined({ id, certainty }, points, isChosen) {
  const line = points.map(pair => pair.map(tenth).join(",")).join(" "), [dashes] = CERTAINTIES[certainty] ?? CERTAINTIES.sure, width = isChosen ? 4 : 2;
  const edge = more => draw("polygon", { points: line, fill: "none", "stroke-linejoin": "round", ...more });
  return [edge({ stroke: "rgb(0 0 0 / .6)", "stroke-width": width + 2 }), edge({ stroke: "#fff", "stroke-width": width, "stroke-dasharray": dashes, "data-mark": "spine", "data-id": id })];
}

/// The texts of spines: upward from the upper end of an upright one, beside the right end of a lying one, within the surface. A text that would lie over another
/// is left out, of two the less sure one.
function captions(spines, surface) {
  const order = Object.keys(CERTAINTIES), rank = ({ spine }) => order.indexOf(spine.certainty ?? "sure"), taken = [];
  return [...spines].sort((a, b) => rank(a) - rank(b)).flatMap(({ spine, points }) => {
    const words = wordsOf(spine), [x, y, width, height] = boxOf(points), isUpright = height > width;
    if (!words) return [];
    const shown = (CERTAINTIES[spine.certainty]?.[1] ?? "") + (words.length > LETTERS ? `${words.slice(0, LETTERS - 1)}…` : words), length = shown.length * LETTER + 8;
    const box = isUpright ? [Math.max(2, Math.min(x + width / 2 - LINE / 2, surface.width - LINE - 2)), Math.max(2, y - length - 4), LINE, length] : [Math.max(2, Math.min(x + width + 4, surface.width - length - 2)), y + height / 2 - LINE / 2, length, LINE];
    if (taken.some(other => isCommon(box, other))) return [];
    taken.push(box);
    return label(shown, box, isUpright);
  });
}

function isCommon([x, y, width, height], [u, v, w, h]) { return x < u + w && u < x + width && y < v + h && v < y + height; }

function label(text, box, isUpright) {
  const [x, y, width, height] = box.map(tenth), at = isUpright ? `translate(${tenth(x + 12)} ${tenth(y + height - 4)}) rotate(-90)` : `translate(${tenth(x + 4)} ${tenth(y + 12)})`;
  return [draw("rect", { x, y, width, height, rx: 3, fill: "rgb(0 0 0 / .8)" }), draw("text", { transform: at, fill: "#fff", "data-mark": "words" }, text)];
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
