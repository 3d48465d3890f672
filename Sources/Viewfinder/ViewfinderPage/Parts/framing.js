// How much of the picture is seen; a photo has all of it. If the window hides a part, the button says so, and the edges beyond which a photo goes on are
// marked. It changes between filling the window and showing the whole picture, whose corners are marked.

class FramingView {
  constructor(picture, marks) {
    Object.assign(this, { picture, marks });
    this.button = find("framing");
    this.button.addEventListener("click", () => this.toggle());
    this.sign = draw("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
    this.seen = draw("path", { d: "" });
    this.sign.append(draw("path", { d: "M2.5 5.5h19v13h-19z", "stroke-dasharray": "2.5 2" }), this.seen);
    this.label = make("span");
    this.button.append(this.sign, this.label);
    picture.onDrawn(() => this.show());
    new ResizeObserver(() => this.show()).observe(picture.canvas);
  }

  toggle() {
    if (this.button.hidden) return;
    feel();
    this.picture.gravityWish = this.picture.gravity === "fit" ? "fill" : "fit";
    this.lay();
  }

  /// Moves a whole picture to the upper edge, where a panel below does not cover it, and back.
  lift(isUp) {
    this.picture.above = isUp ? 0 : FIT_ABOVE;
    this.lay();
  }

  lay() {
    this.picture.lay();
    this.show();
    this.marks.paint();
  }

  show() {
    const { picture } = this, { clientWidth: width, clientHeight: height } = picture.canvas;
    const share = picture.header && width ? seenShare(picture.canvas, { width, height }) : 1;
    const isWhole = picture.gravity === "fit", part = percentText(share), isExact = share > 0.995, isTall = picture.canvas.width * height < picture.canvas.height * width;
    const key = JSON.stringify([part, isExact, isWhole, isTall, width, height, picture.above]);
    if (key === this.shown) return;
    this.shown = key;
    this.button.hidden = isExact;
    fill(find("frame"), isExact ? [] : isWhole ? this.corners(width, height) : goingOn(width, height, isTall));
    if (isExact) return;
    const [x, y] = isWhole ? [0, 0] : isTall ? [0, 13 * (1 - share) / 2] : [19 * (1 - share) / 2, 0];
    this.seen.setAttribute("d", `M${2.5 + x} ${5.5 + y}h${19 - 2 * x}v${13 - 2 * y}h${2 * x - 19}z`);
    setText(this.label, isWhole ? "Fill" : `${part} seen`);
    this.button.title = isWhole ? "All of the picture is seen, as a photo has it. Fill the window" : `${part} of the picture is seen, and a photo has all of it. Show all of it`;
    this.button.setAttribute("aria-label", this.button.title);
  }
  /// The corners of the whole picture: what a photo has lies between them.
  corners(width, height) {
    const geometry = this.picture.geometry({ width, height }), [left, top] = [geometry.left, geometry.top].map(tenth);
    const [right, bottom] = [left + tenth(geometry.size.width), top + tenth(geometry.size.height)], arm = 18;
    const corner = (x, y, dx, dy) => `M${x + dx * arm} ${y + dy * 1.5}H${x + dx * 1.5}V${y + dy * arm}`;
    return marked(corner(left, top, 1, 1) + corner(right, top, -1, 1) + corner(left, bottom, 1, -1) + corner(right, bottom, -1, -1));
  }
}

/// The two edges of the window beyond which a photo goes on, each with an arrow.
function goingOn(width, height, isTall) {
  const [x, y] = [width / 2, height / 2];
  return marked(isTall
    ? `M${x - 9} 11l9-7 9 7M${x - 60} 1.5h120M${x - 9} ${height - 11}l9 7 9-7M${x - 60} ${height - 1.5}h120`
    : `M11 ${y - 9}l-7 9 7 9M1.5 ${y - 60}v120M${width - 11} ${y - 9}l7 9-7 9M${width - 1.5} ${y - 60}v120`);
}

/// A line that is seen on light and on dark pictures.
function marked(line) { return [draw("path", { d: line, class: "under" }), draw("path", { d: line })]; }
