// The recordings of the folder, the newest first: to open, and to delete after a second press.

class RecordingsPanel {
  constructor(connection) {
    this.connection = connection;
    this.list = make("ul");
    this.player = make("video", { controls: true, class: "wide", style: "width:100%", hidden: true, preload: "metadata" });
    this.player.setAttribute("aria-label", "The recording");
    this.empty = make("p", {}, "There is no recording yet.");
    this.element = make("div", {}, this.player, this.empty, this.list);
  }

  show({ recordings = [] }) {
    this.empty.hidden = recordings.length > 0;
    if (recordings === this.shown) return;
    this.shown = recordings;
    if (!recordings.some(({ name }) => name === this.opened)) this.close();
    fill(this.list, recordings.map(entry => this.row(entry)));
  }

  row({ name, duration, bytes, date, thumbnail }) {
    const address = `/recordings/${encodeURIComponent(name)}`;
    const picture = make("img", { src: thumbnail ? `/recordings/${encodeURIComponent(thumbnail)}` : "data:,", alt: "", loading: "lazy" });
    const about = `${lengthText(duration)}, ${bytesText(bytes)}, ${new Date(date * 1000).toLocaleString()}`;
    const open = make("button", { type: "button", onclick: () => this.open(name, address), "aria-label": `Open ${name}` }, "Open");
    const remove = make("button", { type: "button", onclick: () => this.remove(remove, name), "aria-label": `Delete ${name}` }, "Delete");
    const buttons = make("div", { class: "buttons" }, open, make("a", { href: address, download: name, "aria-label": `Save ${name}` }, "Save"), remove);
    return make("li", { "data-name": name }, thumbnail ? picture : make("span"), make("span", {}, name), make("span", { class: "figures why" }, about), buttons);
  }

  open(name, address) {
    this.opened = name;
    this.player.hidden = false;
    this.player.src = address;
  }

  close() {
    this.opened = null;
    this.player.hidden = true;
    this.player.removeAttribute("src");
  }

  remove(button, name) {
    if (button.dataset.isSure) { this.connection.command("deleteRecording", { name }); return; }
    button.dataset.isSure = "yes";
    setText(button, "Really?");
    button.setAttribute("aria-label", `Really delete ${name}`);
    setTimeout(() => { delete button.dataset.isSure; setText(button, "Delete"); button.setAttribute("aria-label", `Delete ${name}`); }, 4000);
  }
}
