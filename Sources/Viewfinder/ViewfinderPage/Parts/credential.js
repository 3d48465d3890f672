// The secret by which the server admits this tab. It comes with the document when the printed address is opened. It is not kept in a cookie, which
// other ports of this host would get. The token is removed from the shown address at once.

const credential = {
  secret: "",
  /// Whether the page has no secret, or one that has ended. The printed address must then be opened again.
  isOver: false,

  begin(given) {
    history.replaceState(null, "", "/");
    // If the browser keeps no data for the page, the secret lasts until the page is reloaded.
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

  /// Whether the server can be reached and refuses this page.
  async isRefused() {
    try { return (await this.ask("/session")).status === 401; } catch { return false; }
  },

  /// An address of a file for a video or a link. It is valid for this file alone, and only for a while. Null if the server gives none.
  async address(path) {
    try {
      const answer = await this.ask(`/ticket${path}`);
      return answer.ok ? `${path}?ticket=${(await answer.text()).trim()}` : null;
    } catch { return null; }
  },

  /// The file's content, as an address within this page. Null if the server does not send it.
  async picture(path) {
    try {
      const answer = await this.ask(path);
      return answer.ok ? URL.createObjectURL(await answer.blob()) : null;
    } catch { return null; }
  },
};
