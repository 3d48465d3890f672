// The panel of books: the spine that was tapped, the queue of uploads, the spines that were read, and the library.

class ShelfPanel {
  constructor(connection, marks) {
    Object.assign(this, { connection, marks, renamed: new Map() });
    this.reading = new SwitchRow("Read spines", value => connection.command("readSpines", { on: value }));
    this.told = make("p", { id: "spine", role: "status", hidden: true });
    this.count = make("p", { class: "figures" });
    this.spines = make("ul");
    this.queue = make("span", { class: "figures", role: "status" });
    this.done = make("progress", { "aria-label": "Photos that are read", hidden: true });
    this.photos = make("span", { class: "figures" });
    this.library = make("p", { class: "figures" });
    this.newest = make("ul");
    this.title = make("input", { id: "book-title", autocomplete: "off", maxLength: 1000 });
    this.author = make("input", { id: "book-author", autocomplete: "off", maxLength: 1000 });
    this.correction = make("form", { id: "correction", hidden: true, "aria-label": "Correct a book", onsubmit: event => this.save(event), onkeydown: event => { if (event.key === "Escape") { event.stopPropagation(); this.leave(); } } },
      make("label", { class: "row", for: "book-title" }, "Title", this.title), make("label", { class: "row", for: "book-author" }, "Author", this.author),
      make("div", { class: "buttons" }, make("button", {}, "Save"), make("button", { type: "button", onclick: () => this.leave() }, "Cancel")));
    this.element = make("div", {}, this.reading.element, this.told, this.correction, this.count, make("p", {}, make("strong", {}, "Queue "), this.queue), this.done, make("p", {}, make("strong", {}, "Photos "), this.photos),
      make("h3", {}, "Library"), this.library, this.newest, this.heading = make("h3", { hidden: true }, "Spines"), this.spines);
  }

  /// Tells of a spine that was tapped, though another picture is read meanwhile.
  tell(spine) {
    const { title, author, text, certainty } = spine, book = this.book(wordsOf(spine));
    fill(this.told, [make("strong", {}, title || text || "Not read"), ...[author && `by ${author}`, title && text && `read as “${text}”`, certainty, book && "in the library"].filter(Boolean).flatMap(part => [", ", part]),
      ...(book ? [". ", this.corrector(book)] : [". A photo puts it into the library of a scan station, where it can be corrected."])]);
    this.told.hidden = false;
    this.marks.choose(spine);
  }

  /// The newest book of the library whose title was read, or was corrected from that in this page.
  book(words) { return this.connection.state?.library?.newest?.find(({ id, title }) => words && (title === words || this.renamed.get(words) === id)); }

  /// A button that opens a book of the library for correction. The page of the state may have only the beginning of a long name.
  corrector(book) { return make("button", { type: "button", "data-book": book.id, "aria-label": `Correct ${book.title || "the book"}`, onclick: () => this.edit(book) }, "Correct"); }

  edit(book) {
    this.edited = book;
    this.place = find("panel-body").scrollTop;
    [this.title.value, this.author.value] = [book.title, book.author];
    this.correction.hidden = false;
    this.title.focus({ preventScroll: true });
    this.correction.scrollIntoView({ block: "center" });
  }

  /// Ends a correction where it began: at the book's own button, unless that has gone.
  leave() {
    this.correction.hidden = true;
    find("panel-body").scrollTop = this.place;
    (this.corrected(this.edited.id) ?? find("panel-title")).focus({ preventScroll: true });
  }

  corrected(id) { return [...this.element.querySelectorAll("[data-book]")].find(({ dataset, offsetParent }) => dataset.book === String(id) && offsetParent); }

  /// Sends only what was changed; without a change, the book is confirmed as it is.
  async save(event) {
    event.preventDefault();
    if (!this.title.value.trim()) return say("A book needs a title.");
    const changed = Object.entries({ title: this.title.value.trim(), author: this.author.value.trim() }).filter(([key, value]) => value !== this.edited[key]);
    const { status, result } = await this.connection.command("editBook", { id: this.edited.id, ...Object.fromEntries(changed) });
    if (status !== "accepted") return;
    this.renamed.set(this.edited.title, this.edited.id);
    this.told.hidden = true;
    this.leave();
    say(`The library has ${[result.title, result.author].filter(Boolean).join(", ")}.`, true);
  }

  show({ spines, queue, library, photos }) {
    this.reading.show(Array.isArray(spines?.items) || spines?.isReading === true, absence(spines));
    const rows = (items, action = () => null) => (items ?? []).slice(0, 50).map(item =>
      make("li", {}, make("span", {}, [item.title || item.text || "not read", item.author].filter(Boolean).join(", ")), make("span", { class: "figures" }, item.certainty ?? UNKNOWN), action(item)));
    if (spines !== this.shownSpines) fill(this.spines, rows(spines?.items));
    if (library !== this.shownLibrary) {
      const focused = this.newest.contains(document.activeElement) && document.activeElement.dataset.book;
      fill(this.newest, rows(library?.newest, book => this.corrector(book)));
      if (focused) this.corrected(focused)?.focus({ preventScroll: true });
    }
    [this.shownSpines, this.shownLibrary] = [spines, library];
    this.heading.hidden = !spines?.items?.length;
    const count = spines?.items?.length, sure = spines?.sureSoFar;
    setText(this.count, [count && `${count} spine${count === 1 ? "" : "s"} in the picture, ${sureCount(spines)} sure`, sure && `${sure} different sure book${sure === 1 ? "" : "s"} so far`].filter(Boolean).join("; "));
    setText(this.photos, photosText(photos));
    setText(this.queue, queueText(queue));
    const { pending = 0, uploaded = 0, failed = 0 } = queue ?? {};
    this.done.hidden = pending === 0;
    [this.done.max, this.done.value] = [Math.max(1, pending + uploaded + failed), uploaded + failed];
    setText(this.library, absence(library) ?? (library ? booksText(library) : UNKNOWN));
  }
}

function sureCount({ items = [] }) { return items.filter(({ certainty }) => certainty === "sure").length; }

/// How many books there are, and where those are that the list has not.
function booksText({ books = 0, newest = [] }) {
  const count = `${books} book${books === 1 ? "" : "s"}`;
  return books > newest.length ? `${count}, below the newest ${newest.length}; “swiftwing library” has all` : count;
}

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
