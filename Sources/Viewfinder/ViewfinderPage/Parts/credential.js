// How the server admits this page: by a secret of this tab, which came with the document when its address was opened. It is not kept in a cookie,
// because a browser sends cookies to all ports of a host. The token in the address is removed from the address at once.

/// Milliseconds within which the server must answer: a network that is gone may say nothing at all.
const ANSWER_TIME = 5000;

const credential = {
  secret: "",
  /// Whether the page has no secret, or one that has ended: the printed address must be opened again.
  isOver: false,

  begin(given) {
    history.replaceState(null, "", "/");
    // A browser may refuse to store anything for a page; then the secret lasts until the page is loaded again.
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

  ask(path, more = {}, secret = this.secret) { return fetch(path, { headers: { Authorization: `Bearer ${secret}` }, cache: "no-store", ...more }); },

  /// Opens the page anew with the token, or with the address that contains it.
  /// - Returns: why that cannot be done.
  async enter(text) {
    const token = /[?&]token=([^&\s]+)/.exec(text)?.[1] ?? text.trim();
    const answer = await this.ask("/session", { signal: AbortSignal.timeout(ANSWER_TIME) }, token).catch(() => null);
    if (answer?.ok) location.assign(`/?token=${token}`);
    return answer?.ok ? "" : answer ? "This is not the token of this viewfinder." : "The camera's program does not answer.";
  },

  /// Whether the server answers, and admits this page no longer.
  async isRefused() {
    try { return (await this.ask("/session", { signal: AbortSignal.timeout(ANSWER_TIME) })).status === 401; } catch { return false; }
  },

  /// An address for a video or a link. Its ticket opens only this file, and only for a short time. Null if the server gives no ticket.
  async address(path) {
    try {
      const answer = await this.ask(`/ticket${path}`);
      return answer.ok ? `${path}?ticket=${(await answer.text()).trim()}` : null;
    } catch { return null; }
  },

  /// Fetches a file and returns an address of it within this page. Null if the server does not give the file.
  async picture(path) {
    try {
      const answer = await this.ask(path);
      return answer.ok ? URL.createObjectURL(await answer.blob()) : null;
    } catch { return null; }
  },
};
