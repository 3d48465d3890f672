// The panel of books: spines that were read, the queue of uploads, and the library.

class ShelfPanel {
  constructor(connection) {
    this.reading = new SwitchRow("Read spines", value => connection.command("readSpines", { on: value }));
    this.spines = make("ul");
    this.queue = make("p", { class: "figures", role: "status" });
    this.photos = make("p", { class: "figures" });
    this.library = make("p", { class: "figures" });
    this.newest = make("ul");
    this.element = make("div", {}, this.reading.element, this.spines, make("h3", {}, "Photos"), this.photos,
      make("h3", {}, "Queue"), this.queue, make("h3", {}, "Library"), this.library, this.newest);
  }

  show({ spines, queue, library, photos }) {
    this.reading.show(Array.isArray(spines?.items) || spines?.isReading === true, absence(spines));
    const rows = items => (items ?? []).slice(0, 50).map(({ title, author, text, certainty }) =>
      make("li", {}, make("span"), make("span", {}, [title || text || "not read", author].filter(Boolean).join(", ")), make("span", { class: "figures" }, certainty ?? UNKNOWN)));
    if (spines !== this.shownSpines) fill(this.spines, rows(spines?.items));
    if (library !== this.shownLibrary) fill(this.newest, rows(library?.newest));
    [this.shownSpines, this.shownLibrary] = [spines, library];
    setText(this.photos, photosText(photos));
    setText(this.queue, queueText(queue));
    setText(this.library, absence(library) ?? (library ? `${library.books ?? 0} books` : UNKNOWN));
  }
}

function queueText(queue) {
  if (!queue) return UNKNOWN;
  if (absence(queue)) return queue.unsupported;
  const { pending = 0, uploaded = 0, failed = 0, offline = false } = queue;
  return `${pending} waiting, ${uploaded} uploaded, ${failed} failed${offline ? "; offline, it goes on by itself" : ""}`;
}

function photosText(photos) {
  const { count = 0, last } = photos ?? {};
  if (!last) return `${count} taken`;
  const tokens = Number.isFinite(last.tokens) ? `, ${last.tokens} tokens` : "";
  return `${count} taken; the last ${last.width}×${last.height}, ${bytesText(last.bytes)}${tokens}`;
}
