// The marker of the focus, at the point that was tapped. It disappears after a second unless the focus is locked there.

const MARKER_TIME = 1000;

class FocusView {
  constructor(connection, picture, marks) {
    Object.assign(this, { connection, picture, marks });
    this.marker = find("focus-marker");
    connection.onState((state, old) => this.follow(state, old));
    picture.onDrawn(() => this.place());
    new ResizeObserver(() => this.place()).observe(marks.surface);
  }

  get isLocked() { return String(this.connection.state?.focus?.state).startsWith("locked"); }

  /// Focuses at a point. - Parameters: x, y: the point on the surface, in its pixels; quiet: whether a refusal is not told.
  async at(x, y, lock, quiet = false) {
    const geometry = this.marks.geometry();
    if (!geometry) return;
    const point = geometry.toPicture(x, y);
    this.mark(point);
    const answer = await this.connection.command("focus", { x: point[0], y: point[1], lock }, { quiet });
    if (answer.status === "refused" && !this.isLocked) this.hide();
  }

  mark(point) {
    this.point = point;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.timer = null; if (!this.isLocked) this.hide(); }, MARKER_TIME);
    this.place();
  }

  hide() {
    clearTimeout(this.timer);
    this.timer = null;
    this.point = null;
    this.place();
  }

  follow(state, old) {
    if (!state) return this.hide();
    if (old && state.focus === old.focus) return;
    const point = state.focus?.point;
    if (this.isLocked && point) this.point = point;
    // Another client has focused: its point is marked, too.
    else if (old && point && !this.timer && JSON.stringify(point) !== JSON.stringify(old.focus?.point)) this.mark(point);
    else if (!this.timer) this.point = null;
    this.place();
  }

  place() {
    const geometry = this.point ? this.marks.geometry() : null;
    if (this.marker.hidden !== !geometry) this.marker.hidden = !geometry;
    find("focus-lock").toggleAttribute("hidden", !this.isLocked);
    if (!geometry) return;
    const [x, y] = geometry.toSurface(this.point);
    this.marker.style.left = `${tenth(x)}px`;
    this.marker.style.top = `${tenth(y)}px`;
  }
}
