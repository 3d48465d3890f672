// Where a picture lies on the surface that it fills. Points of the picture go from 0 to 1 in the upright full picture; points of the
// surface are in its pixels. Nothing here touches the page.

const WHOLE = [0, 0, 1, 1];

/// A point of the unit square as it is stored, turned clockwise by `rotation` degrees after it was mirrored.
function turned([x, y], rotation, isMirrored) {
  if (isMirrored) x = 1 - x;
  return rotation === 90 ? [1 - y, x] : rotation === 180 ? [1 - x, 1 - y] : rotation === 270 ? [y, 1 - x] : [x, y];
}

function turnedBack([x, y], rotation, isMirrored) {
  const [u, v] = turned([x, y], (360 - rotation) % 360, false);
  return [isMirrored ? 1 - u : u, v];
}

/// A rectangle [x, y, width, height], turned.
function turnedRect([x, y, width, height], rotation, isMirrored) {
  const [a, b] = turned([x, y], rotation, isMirrored), [c, d] = turned([x + width, y + height], rotation, isMirrored);
  return [Math.min(a, c), Math.min(b, d), Math.abs(a - c), Math.abs(b - d)];
}

// Spines and subjects are told in the upright picture of photos. That of the preview is turned otherwise where the surface does not turn with
// the device, and is mirrored where the camera looks at who holds it.

function toPreview(point, { capture = 0, preview = 0, isCaptureMirrored = false, isPreviewMirrored = false } = {}) {
  return turned(turnedBack(point, capture, isCaptureMirrored), preview, isPreviewMirrored);
}

function toCapture(point, { capture = 0, preview = 0, isCaptureMirrored = false, isPreviewMirrored = false } = {}) {
  return turned(turnedBack(point, preview, isPreviewMirrored), capture, isCaptureMirrored);
}

/// A rectangle by what turns a point.
function rectBy(turn, [x, y, width, height]) { return rectFrom(turn([x, y]), turn([x + width, y + height])); }

/// How much of a picture is seen where it fills a surface, 0 to 1.
function seenShare(picture, surface) {
  const ratio = picture.width * surface.height / (picture.height * surface.width);
  return Math.min(ratio, 1 / ratio);
}

/// A photo has the whole picture. Where filling the window would hide more than a fifth of it, such as a camera that lies across on a phone that
/// stands, the whole of it is shown, unless the user wants it otherwise.
const SEEN_LEAST = 0.8;

function gravityOf(picture, surface, wish = null) { return wish ?? (seenShare(picture, surface) < SEEN_LEAST ? "fit" : "fill"); }

/// A picture that is whole lies nearer to the upper edge: the controls are at the lower one.
const FIT_ABOVE = 0.35;

class Geometry {
  /// - picture: width and height of what is drawn, upright, in pixels: the part that `part` tells.
  /// - part: which part of the upright full picture that is, [x, y, width, height] from 0 to 1.
  constructor({ picture, part = WHOLE, surface, fit = "fill" }) {
    const scales = [surface.width / picture.width, surface.height / picture.height];
    const scale = fit === "fill" ? Math.max(...scales) : Math.min(...scales);
    this.part = part;
    this.surface = surface;
    this.size = { width: picture.width * scale, height: picture.height * scale };
    this.left = (surface.width - this.size.width) / 2;
    this.top = (surface.height - this.size.height) * (fit === "fill" ? 0.5 : FIT_ABOVE);
  }

  /// The point of the picture that a point of the surface shows, held within the picture.
  toPicture(x, y) {
    const [left, top, width, height] = this.part;
    const hold = value => Math.min(Math.max(value, 0), 1);
    return [hold(left + (x - this.left) / this.size.width * width), hold(top + (y - this.top) / this.size.height * height)];
  }

  toSurface([u, v]) {
    const [left, top, width, height] = this.part;
    return [this.left + (u - left) / width * this.size.width, this.top + (v - top) / height * this.size.height];
  }

  /// Pixels of the surface above, right of, below and left of the picture; none where the picture goes on.
  edges() {
    const { left, top } = this;
    return [top, left, this.surface.height - top - this.size.height, left].map(edge => Math.max(0, edge));
  }

  /// A rectangle of the picture on the surface: [x, y, width, height].
  rectToSurface([x, y, width, height]) {
    const [a, b] = this.toSurface([x, y]), [c, d] = this.toSurface([x + width, y + height]);
    return [a, b, c - a, d - b];
  }
}

function rectFrom([x, y], [u, v]) { return [Math.min(x, u), Math.min(y, v), Math.abs(x - u), Math.abs(y - v)]; }

function isInside([x, y], [left, top, width, height]) {
  return x >= left && y >= top && x <= left + width && y <= top + height;
}
