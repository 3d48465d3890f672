// What lets this page in: a secret of this tab, which came with the document when its address was opened. It is kept where no other port of this
// host sees it: not in a cookie. The secret of the address itself is taken out of it at once.

const credential = {
  secret: "",
  /// There is none, or it has ended: the address must be opened again.
  isOver: false,

  begin(given) {
    history.replaceState(null, "", "/");
    // A browser may keep nothing for a page; then the secret lasts until the page is loaded again.
    try {
      if (given) sessionStorage.setItem("secret", given);
      this.secret = given || sessionStorage.getItem("secret") || "";
    } catch { this.secret = given; }
    this.isOver = this.secret === "";
  },

  end() {
    this.isOver = true;
    this.secret = "";
    try { sessionStorage.removeItem("secret"); } catch { /* Nothing was kept. */ }
  },

  socket(path) { return new WebSocket(socketAddress(path), ["swiftwing", `swiftwing.session.${this.secret}`]); },

  ask(path) { return fetch(path, { headers: { Authorization: `Bearer ${this.secret}` }, cache: "no-store" }); },

  /// Whether the server is there and lets this page in no more.
  async isRefused() {
    try { return (await this.ask("/session")).status === 401; } catch { return false; }
  },

  /// An address of a file that a video or a link can have: it opens this file alone, and soon no more. Null where there is none.
  async address(path) {
    try {
      const answer = await this.ask(`/ticket${path}`);
      return answer.ok ? `${path}?ticket=${(await answer.text()).trim()}` : null;
    } catch { return null; }
  },

  /// The file itself, as an address within this page. Null where there is none.
  async picture(path) {
    try {
      const answer = await this.ask(path);
      return answer.ok ? URL.createObjectURL(await answer.blob()) : null;
    } catch { return null; }
  },
};
