// The gallery: the photos and films of the viewfinder's folders, one at a time, from the oldest at the left to the newest at the right. A deleted one
// can be brought back until the server removes it for good, also after this page was closed.

/// For each codec, as films name it: its name, and the media type by which the browser is asked whether it plays it. A film with another codec is
/// tried without asking.
const MEDIA = {
  h264: ["H.264", "video/mp4; codecs=\"avc1.640028\""], hevc: ["HEVC", "video/mp4; codecs=\"hvc1.1.6.L120.90\""],
  mjpeg: ["Motion JPEG", "video/mp4; codecs=\"mp4v.6C\""], prores: ["ProRes", "video/quicktime; codecs=\"apch\""], ffv1: ["FFV1", "video/quicktime; codecs=\"FFV1\""],
};
/// The models whose price is shown first, one of each vendor.
const PRICED = ["gemini-3-high", "gpt-6", "claude", "qwen-3-vl"];
/// The largest film in bytes that is fetched to be shared; a larger one is saved.
const SHARED_MOST = 100e6;

function iconButton(name, label, key, onclick) {
  return make("button", { type: "button", class: "icon-button", title: `${label}, ${key}`, "aria-label": label, onclick }, icon(name));
}

class Gallery {
  constructor(connection) {
    this.connection = connection;
    this.items = [];
    this.photos = [];
    this.files = new Map();
    this.canShare = Boolean(navigator.canShare?.({ files: [new File(["x"], "a.jpg", { type: "image/jpeg" })] }));
    this.opener = find("last-photo");
    this.opener.addEventListener("click", () => this.open());
    this.build();
    document.body.append(this.element);
    connection.onState((state, old) => this.follow(state, old));
  }

  build() {
    this.title = make("h2", { id: "gallery-title", class: "figures" });
    this.actions = {
      share: this.canShare ? iconButton("share", "Share", "S", () => this.share()) : iconButton("save", "Save", "S", () => this.share()),
      info: iconButton("info", "About it", "I", () => this.toggleFacts()), remove: iconButton("remove", "Delete", "Delete", () => this.remove()),
    };
    this.actions.info.setAttribute("aria-controls", "gallery-facts");
    this.older = iconButton("older", "Older", "←", () => this.step(-1));
    this.newer = iconButton("newer", "Newer", "→", () => this.step(1));
    this.view = make("div", { id: "gallery-view", tabIndex: 0, role: "group" });
    this.facts = make("section", { id: "gallery-facts", "aria-label": "About it", tabIndex: 0, hidden: true });
    this.said = make("span", { role: "status" });
    this.undo = make("button", { type: "button", onclick: () => this.bringBack() }, "Undo");
    this.deleted = make("p", { id: "gallery-deleted", hidden: true }, this.said, this.undo);
    this.element = make("dialog", { id: "gallery", "aria-labelledby": "gallery-title", onkeydown: event => this.press(event), onclose: () => this.closed() },
      make("header", {}, this.title, ...Object.values(this.actions), iconButton("close", "Close the gallery", "Esc", () => this.close())),
      make("div", { id: "gallery-stage" }, this.older, this.view, this.newer), this.facts, this.deleted);
    this.swipes();
  }

  /// The item that is shown; undefined if there is none.
  get item() { return this.items[this.index()]; }
  index() { return this.items.findIndex(item => item.key === this.key); }
  get isOpen() { return this.element.open; }

  // What there is.

  follow(state, old) {
    if (!state) return this.mark();
    const photos = state.photos ?? {}, before = old?.photos ?? {};
    if (!old || photos.count !== before.count || state.deleted !== old.deleted) this.load();
    else if (state.recordings !== old.recordings) this.list();
    if (state.deleted !== old?.deleted) this.showDeleted(state.deleted ?? []);
    this.mark();
  }

  /// Asks the server for its photos. Of several askings at once the last one counts.
  async load() {
    const asking = this.asking = {};
    try {
      const answer = await credential.ask("/photos"), { photos } = await answer.json();
      if (this.asking !== asking || !Array.isArray(photos)) return;
      this.photos = photos;
    } catch { return; }
    this.list();
  }

  list() {
    const at = this.index();
    const films = (this.connection.state?.recordings ?? []).map(film => ({ ...film, kind: "film", time: film.date, path: `/recordings/${encodeURIComponent(film.name)}` }));
    this.items = [...this.photos.map(photo => ({ ...photo, kind: "photo", path: `/photos/${encodeURIComponent(photo.name)}` })), ...films]
      .map(item => ({ ...item, key: `${item.kind} ${item.name}` })).sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1));
    // In place of one that has gone, its neighbour.
    if (!this.item) this.key = this.items[Math.min(Math.max(at, 0), this.items.length - 1)]?.key;
    this.showOpener();
    if (this.isOpen) this.show();
  }

  showOpener() {
    const newest = this.items.at(-1), count = this.items.length;
    this.opener.hidden = !newest && this.deleted.hidden;
    this.opener.setAttribute("aria-label", `Gallery, ${count === 1 ? "1 photo or film" : `${count} photos and films`}`);
    if (this.opener.dataset.key === newest?.key) return;
    this.opener.dataset.key = newest?.key ?? "";
    this.small(newest).then(address => {
      if ((this.opener.dataset.key || undefined) === newest?.key) fill(this.opener, [address ? make("img", { src: address, alt: "" }) : newest?.kind === "film" ? "Film" : "Photo"]);
    });
  }

  // Files are fetched once, as long as they or their neighbours are shown.

  fetch(path) {
    if (!this.files.has(path)) this.files.set(path, credential.picture(path));
    return this.files.get(path);
  }

  /// The picture of an item: the photo, or a film's thumbnail; null if there is none.
  async small(item) {
    const path = item?.kind === "film" ? item.thumbnail && `/recordings/${encodeURIComponent(item.thumbnail)}` : item?.path;
    return path ? this.fetch(path) : null;
  }

  forget() {
    const at = this.index(), near = this.isOpen ? this.items.slice(Math.max(0, at - 1), at + 2) : [];
    const kept = [...near, this.items.at(-1)].flatMap(item => item ? [item.path, item.thumbnail && `/recordings/${encodeURIComponent(item.thumbnail)}`] : []);
    for (const [path, file] of this.files) if (!kept.includes(path)) {
      this.files.delete(path);
      file.then(address => { if (address) URL.revokeObjectURL(address); });
    }
    near.forEach(item => this.small(item));
  }

  // Opening, closing, moving.

  open() {
    if (this.isOpen) return;
    this.key = this.items.at(-1)?.key;
    this.element.showModal();
    this.show();
    this.view.focus();
  }

  close() { this.element.close(); }

  closed() {
    fill(this.view, []);
    this.shown = undefined;
    this.forget();
  }

  step(by) { this.go(this.index() + by); }

  go(to) {
    if (!this.items[to] || this.items[to].key === this.key) return;
    this.key = this.items[to].key;
    this.show(to);
  }

  press(event) {
    // The viewfinder behind the gallery has no part in its keys.
    event.stopPropagation();
    if (event.ctrlKey ? event.key !== "z" : event.altKey || event.metaKey) return;
    const isPlayer = event.target instanceof Element && event.target.matches("video");
    const action = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0), End: () => this.go(this.items.length - 1),
      Delete: () => this.remove(), z: () => this.bringBack(), i: () => this.toggleFacts(), s: () => this.share(), g: () => this.close(),
    }[event.key];
    if (!action || isPlayer && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (!event.repeat || event.key.startsWith("Arrow")) action();
  }

  /// A finger moves the picture; let go far enough to a side, the next one comes, and downwards the gallery closes.
  swipes() {
    let from = null;
    const end = () => { from = null; this.view.style.translate = ""; };
    this.view.addEventListener("pointerdown", event => { if (event.isPrimary && event.button === 0) from = [event.clientX, event.clientY]; });
    this.view.addEventListener("pointermove", event => { if (from && event.isPrimary) this.view.style.translate = `${event.clientX - from[0]}px 0`; });
    this.view.addEventListener("pointercancel", end);
    this.view.addEventListener("pointerleave", end);
    this.view.addEventListener("pointerup", event => {
      if (!from || !event.isPrimary) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      end();
      if (Math.abs(dx) > SWIPE_DISTANCE && Math.abs(dx) > Math.abs(dy)) this.step(dx < 0 ? 1 : -1);
      else if (dy > 2 * SWIPE_DISTANCE) this.close();
    });
  }

  // What is shown.

  /// - Parameter to: the index of the item that was moved to, if it was.
  show() {
    const { item } = this, at = this.index();
    setText(this.title, item ? `${at + 1} of ${this.items.length}` : "Gallery");
    this.view.setAttribute("aria-label", item ? `${item.kind === "film" ? "Film" : "Photo"} of ${timeText(item.time)}` : "Nothing");
    this.mark();
    if (this.shown !== item?.key || !item) {
      this.shown = item?.key;
      if (!item) fill(this.view, [make("p", {}, "There is no photo and no film yet.")]);
      else if (item.kind === "film") this.showFilm(item);
      else this.showPhoto(item);
      if (!this.facts.hidden) this.describe();
    }
    this.forget();
  }

  mark() {
    const { item } = this, isThere = item !== undefined, at = this.index(), isConnected = this.connection.isOpen;
    setEnabled(this.older, at > 0);
    setEnabled(this.newer, at >= 0 && at < this.items.length - 1);
    setEnabled(this.actions.share, isThere && isConnected, isConnected ? null : "There is no connection.");
    setEnabled(this.actions.remove, isThere && isConnected, isConnected ? null : "There is no connection.");
    setEnabled(this.actions.info, isThere);
    setEnabled(this.undo, isConnected, "There is no connection.");
    this.actions.info.setAttribute("aria-expanded", String(!this.facts.hidden));
    // A browser passes no key to a disabled element.
    if (this.isOpen && document.activeElement.matches(":disabled")) this.view.focus();
  }

  async showPhoto(item) {
    fill(this.view, []);
    const address = await this.fetch(item.path);
    if (this.shown !== item.key) return;
    const picture = make("img", { alt: `Photo of ${timeText(item.time)}`, draggable: false });
    picture.onerror = () => { if (this.shown === item.key) fill(this.view, [make("p", { role: "alert" }, `${item.name} cannot be shown.`)]); };
    picture.src = address ?? "data:,";
    fill(this.view, [picture]);
  }

  /// Shows a film. The browser is asked first whether it plays the codec: otherwise it would show nothing, or a black picture.
  async showFilm(item) {
    fill(this.view, []);
    const type = MEDIA[item.codec]?.[1], poster = await this.small(item);
    if (this.shown !== item.key) return;
    const refuse = () => { if (this.shown === item.key) this.refuse(item, poster); };
    const player = make("video", { controls: true, preload: "metadata", playsInline: true });
    if (type && player.canPlayType(type) === "") return refuse();
    const address = await credential.address(item.path);
    if (this.shown !== item.key) return;
    player.setAttribute("aria-label", `Film of ${timeText(item.time)}`);
    player.addEventListener("error", refuse);
    // If the browser can play only the sound of a film, the film has no width.
    player.addEventListener("loadedmetadata", () => { if (!player.videoWidth) refuse(); });
    if (poster) player.poster = poster;
    player.src = address ?? "data:,";
    fill(this.view, [player]);
  }

  refuse(item, poster) {
    const why = `This browser does not play ${item.name} (${MEDIA[item.codec]?.[0] ?? item.codec}). Save it, and open it in a player such as mpv or VLC.`;
    fill(this.view, [poster ? make("img", { src: poster, alt: "", draggable: false }) : null, make("p", { role: "alert" }, why)].filter(Boolean));
  }

  // About it.

  toggleFacts() {
    this.facts.hidden = !this.facts.hidden;
    this.mark();
    if (!this.facts.hidden) this.describe();
  }

  async describe() {
    const { item } = this;
    fill(this.facts, []);
    if (!item) return;
    const report = item.kind === "photo" ? await this.report(item) : item;
    if (this.item?.key === item.key) fill(this.facts, [factList(item, report), ...prices(report.tokens)]);
  }

  async report(item) {
    try {
      const answer = await credential.ask(`${item.path}/report`);
      return answer.ok ? await answer.json() : {};
    } catch { return {}; }
  }

  // Deleting, and bringing back.

  async remove() {
    const { item } = this;
    if (!item || this.actions.remove.disabled) return;
    await this.connection.command(item.kind === "film" ? "deleteRecording" : "deletePhoto", { name: item.name });
    if (this.isOpen && document.activeElement === document.body) this.view.focus();
  }

  async bringBack() {
    const last = this.connection.state?.deleted?.[0];
    if (!last) return;
    const { status } = await this.connection.command("restore", { name: last.name });
    if (status !== "accepted") return;
    await this.load();
    this.go(this.items.findIndex(({ key }) => key === `${last.kind} ${last.name}`));
    this.view.focus();
  }

  showDeleted(deleted) {
    const last = deleted[0], more = deleted.length - 1;
    this.deleted.hidden = !last;
    setText(this.said, last ? `${last.kind === "film" ? "A film" : "A photo"} is deleted${more ? `, and ${more} more` : ""}. Undo brings it back until ${new Date(last.until * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}.` : "");
    this.showOpener();
  }

  // Sharing.

  /// Shares the item where the browser can share a file; saves it otherwise.
  async share() {
    const { item } = this;
    if (!item || this.actions.share.disabled) return;
    const file = this.canShare && !(item.bytes > SHARED_MOST) ? await this.file(item) : null;
    if (!file || !navigator.canShare({ files: [file] })) return this.save(item);
    try { await navigator.share({ files: [file], title: item.name }); } catch (error) {
      if (error.name !== "AbortError") this.save(item);
    }
  }

  async file(item) {
    try {
      const answer = await credential.ask(item.path), blob = await answer.blob();
      return answer.ok ? new File([blob], item.name, { type: blob.type }) : null;
    } catch { return null; }
  }

  async save(item) {
    const address = await credential.address(item.path);
    if (!address) return say(`${item.name} cannot be saved: the viewfinder does not give it. Try again.`);
    make("a", { href: address, download: item.name }).click();
  }
}

function timeText(unix) { return new Date(unix * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" }); }

/// What is known of an item: of a photo from its EXIF.
function factList(item, report) {
  const { width, height, exposureDuration, iso, exposureBias, isExposureManual, digitalZoom, make: maker, model } = report;
  const exposure = [exposureDuration && `${shutterText(exposureDuration)}${exposureDuration < 0.3 ? " s" : ""}`, iso && `ISO ${isoText(iso)}`, Number.isFinite(exposureBias) ? biasText(exposureBias) : null, isExposureManual ? "manual" : null];
  const rows = {
    Taken: item.kind === "photo" && report.time ? timeText(Date.parse(report.time) / 1000) : timeText(item.time), Length: item.kind === "film" ? lengthText(item.duration) : null,
    Size: [width > 0 ? `${width} × ${height}` : null, bytesText(item.bytes)].filter(Boolean).join(", "), Exposure: exposure.filter(Boolean).join(", "),
    Zoom: digitalZoom > 1 ? zoomText(digitalZoom) : null, Camera: [maker, model].filter(Boolean).join(" "), Codec: item.kind === "film" ? MEDIA[item.codec]?.[0] ?? item.codec : null, File: item.name,
  };
  return make("dl", {}, ...Object.entries(rows).filter(([, text]) => text).map(([name, text]) => make("div", {}, make("dt", {}, name), make("dd", {}, text))));
}

/// What models charge for a photo of this size, in tokens.
function prices(tokens) {
  if (!Array.isArray(tokens) || !tokens.length) return [];
  const row = ({ title, tokens }) => make("div", {}, make("dt", {}, title), make("dd", { class: "figures" }, tokens.toLocaleString()));
  const isFirst = ({ id }) => PRICED.includes(id);
  return [make("h3", {}, "What a model pays, in tokens"), make("dl", {}, ...tokens.filter(isFirst).map(row)),
    make("details", {}, make("summary", {}, "Other models"), make("dl", {}, ...tokens.filter(price => !isFirst(price)).map(row)))];
}
