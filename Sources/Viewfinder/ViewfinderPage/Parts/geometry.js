// The position of a picture on the surface that shows it. Points of the picture go from 0 to 1 in the upright full picture; points of the surface
// are in its pixels. This file uses no elements of the page.

const WHOLE = [0, 0, 1, 1];

/// A point of the stored picture (0 to 1), first mirrored if `isMirrored`, then turned clockwise by `rotation` degrees.
function turned([x, y], rotation, isMirrored) {
  if (isMirrored) x = 1 - x;
  return rotation === 90 ? [1 - y, x] : rotation === 180 ? [1 - x, 1 - y] : rotation === 270 ? [y, 1 - x] : [x, y];
}

function turnedBack([x, y], rotation, isMirrored) {
  const [u, v] = turned([x, y], (360 - rotation) % 360, false);
  return [isMirrored ? 1 - u : u, v];
}

/// Turns a rectangle [x, y, width, height].
function turnedRect([x, y, width, height], rotation, isMirrored) {
  const [a, b] = turned([x, y], rotation, isMirrored), [c, d] = turned([x + width, y + height], rotation, isMirrored);
  return [Math.min(a, c), Math.min(b, d), Math.abs(a - c), Math.abs(b - d)];
}

// The server reports spines and subjects in coordinates of upright photos. The preview is turned by another angle if the surface does not turn
// with the device, and mirrored if it is a front camera.

function toPreview(point, { capture = 0, preview = 0, isCaptureMirrored = false, isPreviewMirrored = false } = {}) {
  return turned(turnedBack(point, capture, isCaptureMirrored), preview, isPreviewMirrored);
}

function toCapture(point, { capture = 0, preview = 0, isCaptureMirrored = false, isPreviewMirrored = false } = {}) {
  return turned(turnedBack(point, preview, isPreviewMirrored), capture, isCaptureMirrored);
}

/// The rectangle whose corners are those of a rectangle, each turned by `turn`.
function rectBy(turn, [x, y, width, height]) { return rectFrom(turn([x, y]), turn([x + width, y + height])); }

/// The share of a picture that can be seen when it fills a surface, 0 to 1.
function seenShare(picture, surface) {
  const ratio = picture.width * surface.height / (picture.height * surface.width);
  return Math.min(ratio, 1 / ratio);
}

/// A photo contains the whole picture. So if filling the window would hide more than a fifth of it, as on a phone held upright, the whole picture is
/// shown in the window, unless the user has chosen otherwise.
const SEEN_LEAST = 0.8;

function gravityOf(picture, surface, wish = null) { return wish ?? (seenShare(picture, surface) < SEEN_LEAST ? "fit" : "fill"); }

/// The share of the free height that is above a whole picture: less than half, because the controls are at the lower edge.
const FIT_ABOVE = 0.35;

class Geometry {
  /// - picture: width and height of the drawn, upright picture in pixels; with digital zoom it is a part of the full picture.
  /// - part: this part, [x, y, width, height] from 0 to 1 in the upright full picture.
  /// - above: the share of the free height above a whole picture.
  constructor({ picture, part = WHOLE, surface, fit = "fill", above = FIT_ABOVE }) {
    const scales = [surface.width / picture.width, surface.height / picture.height];
    const scale = fit === "fill" ? Math.max(...scales) : Math.min(...scales);
    this.part = part;
    this.surface = surface;
    this.size = { width: picture.width * scale, height: picture.height * scale };
    this.left = (surface.width - this.size.width) / 2;
    this.top = (surface.height - this.size.height) * (fit === "fill" ? 0.5 : above);
  }

  /// The point of the picture at a point of the surface; the nearest one if that lies outside the picture.
  toPicture(x, y) {
    const [left, top, width, height] = this.part;
    const hold = value => Math.min(Math.max(value, 0), 1);
    return [hold(left + (x - this.left) / this.size.width * width), hold(top + (y - this.top) / this.size.height * height)];
  }

  toSurface([u, v]) {
    const [left, top, width, height] = this.part;
    return [this.left + (u - left) / width * this.size.width, this.top + (v - top) / height * this.size.height];
  }

  /// The part of the surface that the picture covers.
  seen() {
    const [left, top] = [Math.max(0, this.left), Math.max(0, this.top)];
    return [left, top, Math.min(this.surface.width, this.left + this.size.width) - left, Math.min(this.surface.height, this.top + this.size.height) - top];
  }

  /// Converts a rectangle of the picture to the surface: [x, y, width, height].
  rectToSurface([x, y, width, height]) {
    const [a, b] = this.toSurface([x, y]), [c, d] = this.toSurface([x + width, y + height]);
    return [a, b, c - a, d - b];
  }
}

function rectFrom([x, y], [u, v]) { return [Math.min(x, u), Math.min(y, v), Math.abs(x - u), Math.abs(y - v)]; }

function isInside([x, y], [left, top, width, height]) {
  return x >= left && y >= top && x <= left + width && y <= top + height;
}
