// The panel of books: the spine that was tapped, the queue of uploads, the spines that were read, and the library.

class ShelfPanel {
  constructor(connection, marks) {
    this.marks = marks;
    this.reading = new SwitchRow("Read spines", value => connection.command("readSpines", { on: value }));
    this.told = make("p", { id: "spine", role: "status", hidden: true });
    this.count = make("p", { class: "figures" });
    this.spines = make("ul");
    this.queue = make("p", { class: "figures", role: "status" });
    this.done = make("progress", { "aria-label": "Photos that are read", hidden: true });
    this.photos = make("p", { class: "figures" });
    this.library = make("p", { class: "figures" });
    this.newest = make("ul");
    this.element = make("div", {}, this.reading.element, this.told, this.count, make("h3", {}, "Queue"), this.queue, this.done, make("h3", {}, "Photos"), this.photos,
      this.heading = make("h3", { hidden: true }, "Spines"), this.spines, make("h3", {}, "Library"), this.library, this.newest);
  }

  /// Tells of a spine that was tapped, though another picture is read meanwhile.
  tell(spine) {
    const { title, author, text, certainty } = spine, has = (this.newest.textContent ?? "").includes(wordsOf(spine));
    fill(this.told, [make("strong", {}, title || text || "Not read"), ...[author && `by ${author}`, title && text && `read as “${text}”`, certainty, has && "in the library"].filter(Boolean).flatMap(part => [", ", part]),
      ". A photo puts it into the library of a scan station; “swiftwing library review” corrects it there."]);
    this.told.hidden = false;
    this.marks.choose(spine);
  }

  show({ spines, queue, library, photos }) {
    this.reading.show(Array.isArray(spines?.items) || spines?.isReading === true, absence(spines));
    const rows = items => (items ?? []).slice(0, 50).map(({ title, author, text, certainty }) =>
      make("li", {}, make("span"), make("span", {}, [title || text || "not read", author].filter(Boolean).join(", ")), make("span", { class: "figures" }, certainty ?? UNKNOWN)));
    if (spines !== this.shownSpines) fill(this.spines, rows(spines?.items));
    if (library !== this.shownLibrary) fill(this.newest, rows(library?.newest));
    [this.shownSpines, this.shownLibrary] = [spines, library];
    this.heading.hidden = !spines?.items?.length;
    setText(this.count, spines?.items?.length ? `${spines.items.length} spines in the picture, ${sureCount(spines)} sure` : "");
    setText(this.photos, photosText(photos));
    setText(this.queue, queueText(queue));
    const { pending = 0, uploaded = 0, failed = 0 } = queue ?? {};
    this.done.hidden = pending === 0;
    [this.done.max, this.done.value] = [Math.max(1, pending + uploaded + failed), uploaded + failed];
    setText(this.library, absence(library) ?? (library ? `${library.books ?? 0} books` : UNKNOWN));
  }
}

function sureCount({ items = [] }) { return items.filter(({ certainty }) => certainty === "sure").length; }

function queueText(queue) {
  if (!queue) return UNKNOWN;
  if (absence(queue)) return queue.unsupported;
  const { pending = 0, uploaded = 0, failed = 0, offline = false, limitedUntil } = queue;
  const limit = secondsUntil(limitedUntil, Date.now() / 1000) > 0 ? `; the backend takes no scans until ${new Date(limitedUntil * 1000).toLocaleTimeString()}` : "";
  return `${pending} waiting, ${uploaded} uploaded, ${failed} failed${offline ? "; offline, it goes on by itself" : ""}${limit}`;
}

function photosText(photos) {
  const { count = 0, last } = photos ?? {};
  if (!last) return `${count} taken`;
  const tokens = Number.isFinite(last.tokens) ? `, ${last.tokens} tokens` : "";
  return `${count} taken; the last ${last.width}×${last.height}, ${bytesText(last.bytes)}${tokens}`;
}
