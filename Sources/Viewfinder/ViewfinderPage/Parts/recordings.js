// The recordings of the folder, the newest first: to open, to save, and to delete after a second press. A recording that this browser cannot play is
// named, and can be saved.

/// For each codec, as recordings name it: its name, and the media type by which the browser is asked whether it plays it. A file with
/// another codec is tried without asking.
const MEDIA = {
  h264: ["H.264", "video/mp4; codecs=\"avc1.640028\""], hevc: ["HEVC", "video/mp4; codecs=\"hvc1.1.6.L120.90\""],
  mjpeg: ["Motion JPEG", "video/mp4; codecs=\"mp4v.6C\""], prores: ["ProRes", "video/quicktime; codecs=\"apch\""], ffv1: ["FFV1", "video/quicktime; codecs=\"FFV1\""],
};

function mediaName(codec) { return MEDIA[codec]?.[0] ?? codec; }

class RecordingsPanel {
  constructor(connection) {
    this.connection = connection;
    this.thumbnails = new Map();
    this.list = make("ul");
    this.player = make("video", { controls: true, class: "wide", style: "width:100%", hidden: true, preload: "metadata" });
    this.player.setAttribute("aria-label", "The recording");
    this.why = make("p", { role: "alert", hidden: true });
    this.player.addEventListener("error", () => { if (this.opened) this.refuse(this.opened); });
    // If the browser can play only the sound of a film, the film has no width.
    this.player.addEventListener("loadedmetadata", () => { if (this.opened && !this.player.videoWidth) this.refuse(this.opened); });
    this.empty = make("p", {}, "There is no recording yet.");
    this.element = make("div", {}, this.player, this.why, this.empty, this.list);
  }

  show({ recordings = [] }) {
    this.empty.hidden = recordings.length > 0;
    if (recordings === this.shown) return;
    this.shown = recordings;
    if (!recordings.some(({ name }) => name === (this.opened ?? this.refused)?.name)) this.close();
    for (const name of [...this.thumbnails.keys()]) if (!recordings.some(({ thumbnail }) => thumbnail === name)) this.forget(name);
    fill(this.list, recordings.map(entry => this.row(entry)));
  }

  row(entry) {
    const { name, duration, bytes, date, thumbnail, codec } = entry;
    const address = `/recordings/${encodeURIComponent(name)}`;
    const picture = make("img", { src: "data:,", alt: "" });
    if (thumbnail) this.thumbnail(thumbnail).then(address => { picture.src = address ?? "data:,"; });
    const about = `${lengthText(duration)}, ${bytesText(bytes)}, ${mediaName(codec)}, ${new Date(date * 1000).toLocaleString()}`;
    const open = make("button", { type: "button", onclick: () => this.open(entry), "aria-label": `Open ${name}` }, "Open");
    const remove = make("button", { type: "button", onclick: () => this.remove(remove, name), "aria-label": `Delete ${name}` }, "Delete");
    const buttons = make("div", { class: "buttons" }, open, make("a", { href: address, onclick: event => this.save(event, name, address), "aria-label": `Save ${name}` }, "Save"), remove);
    return make("li", { "data-name": name }, thumbnail ? picture : make("span"), make("span", {}, name), make("span", { class: "figures why" }, about), buttons);
  }

  /// The thumbnail of a recording, fetched once.
  thumbnail(name) {
    if (!this.thumbnails.has(name)) this.thumbnails.set(name, credential.picture(`/recordings/${encodeURIComponent(name)}`));
    return this.thumbnails.get(name);
  }

  forget(name) {
    this.thumbnails.get(name).then(address => { if (address) URL.revokeObjectURL(address); });
    this.thumbnails.delete(name);
  }

  /// Opens a recording. The browser is asked first whether it plays the codec: otherwise it would show nothing, or a black picture.
  async open(entry) {
    this.close();
    const type = MEDIA[entry.codec]?.[1];
    if (type && this.player.canPlayType(type) === "") return this.refuse(entry);
    this.opened = entry;
    const address = await credential.address(`/recordings/${encodeURIComponent(entry.name)}`);
    if (this.opened !== entry) return;
    if (!address) return say("The recording cannot be opened: the viewfinder does not give it. Try again.");
    this.player.hidden = false;
    this.player.src = address;
  }

  refuse(entry) {
    this.close();
    this.refused = entry;
    const address = `/recordings/${encodeURIComponent(entry.name)}`;
    const save = make("a", { href: address, onclick: event => this.save(event, entry.name, address) }, "Save it");
    fill(this.why, [`This browser does not play ${entry.name} (${mediaName(entry.codec)}). `, save, ", and open it in a player such as mpv or VLC."]);
    this.why.hidden = false;
  }

  async save(event, name, path) {
    event.preventDefault();
    const address = await credential.address(path);
    if (!address) return say("The recording cannot be saved: the viewfinder does not give it. Try again.");
    make("a", { href: address, download: name }).click();
  }

  close() {
    this.opened = this.refused = null;
    this.why.hidden = this.player.hidden = true;
    this.player.removeAttribute("src");
    this.player.load();
  }

  remove(button, name) {
    if (button.dataset.isSure) { this.connection.command("deleteRecording", { name }); return; }
    button.dataset.isSure = "yes";
    setText(button, "Really?");
    button.setAttribute("aria-label", `Really delete ${name}`);
    setTimeout(() => { delete button.dataset.isSure; setText(button, "Delete"); button.setAttribute("aria-label", `Delete ${name}`); }, 4000);
  }
}
