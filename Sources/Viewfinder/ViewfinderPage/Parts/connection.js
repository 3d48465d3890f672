// The control channel: the state and its changes, commands and their answers, the server's clock. When the connection is lost, the state is
// cleared, and the page connects again.

const RETRY_FIRST = 250, RETRY_LAST = 4000;

/// Milliseconds for which an answer about the clock is used: later the two clocks may have drifted apart.
const CLOCK_AGE = 30_000;

/// Milliseconds without an answer about the clock after which the connection counts as lost. After a sleep or a change of the network, a browser
/// may notice only after a quarter of an hour that nobody answers. When the page is seen again, an answer is awaited for a shorter time.
const SILENCE = 10_000, WAKING_SILENCE = 1500;

class Connection {
  constructor() {
    this.state = null;
    this.revision = 0;
    this.pending = new Map();
    this.nextID = 1;
    this.retry = RETRY_FIRST;
    this.clockOffset = null;
    this.clocks = new Map();
    this.clockAnswers = [];
    this.views = [];
    /// Whether a state, or the lack of one, is known; and whether the views are called with each change (`tellAll`).
    this.isKnown = this.isTold = false;
    this.listeners = [];
  }

  /// `view(state, old)` is called with every change; `state` is null while there is no connection.
  onState(view) { this.views.push(view); }
  onEvent(listener) { this.listeners.push(listener); }
  get isOpen() { return this.state !== null; }

  open() {
    if (credential.isOver) return this.show(null);
    const socket = this.socket = credential.socket("/channel");
    socket.onmessage = message => this.receive(message.data);
    socket.onclose = () => this.lost();
    setTimeout(() => { if (this.socket === socket && !this.isOpen && socket.onclose) this.drop(); }, SILENCE);
  }

  /// Asks whether the server is still there, or connects at once: the page is seen again, or the network is back.
  wake() {
    if (this.isOpen) return this.askClock(WAKING_SILENCE);
    this.retry = RETRY_FIRST;
    if (!this.openTimer) return;
    clearTimeout(this.openTimer);
    this.openTimer = null;
    this.open();
  }

  receive(text) {
    let message;
    try { message = JSON.parse(text); } catch { return this.socket.close(); }
    if (message.type === "state") return this.begin(message);
    if (message.type === "change") return this.change(message);
    if (message.type === "answer") return this.answer(message);
    if (message.type === "clock") return this.clock(message);
    if (message.type === "event") this.listeners.forEach(listener => listener(message));
  }

  begin(message) {
    this.retry = RETRY_FIRST;
    this.revision = message.revision;
    this.show(message.state);
    this.askClock();
  }

  /// Applies a change to the state. If a change before it is missing, the page connects again and so gets the whole state anew.
  change(message) {
    if (this.state === null || message.revision <= this.revision) return;
    if (message.revision !== this.revision + 1) return this.socket.close();
    this.revision = message.revision;
    this.show(mergePatch(this.state, message.change));
  }

  show(state) {
    const old = this.state;
    this.state = state;
    this.isKnown = true;
    if (this.isTold) this.views.forEach(view => view(state, old));
  }

  /// Called when all views exist: calls them with the state that has come so far, and from now on with each change.
  tellAll() {
    this.isTold = true;
    if (this.isKnown) this.views.forEach(view => view(this.state, null));
  }

  lost() {
    for (const settle of this.pending.values()) settle({ status: "refused", reason: "The connection to the camera's program was lost." });
    this.pending.clear();
    this.clocks.clear();
    this.clockAnswers = [];
    this.clockOffset = null;
    this.show(null);
    this.openAgain(this.retry);
    this.retry = Math.min(this.retry * 2, RETRY_LAST);
  }

  /// Gives up a connection on which nobody answers, without waiting for its close.
  drop() {
    this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.lost();
  }

  /// Connects again after `wait` milliseconds. A page that was logged out shows this instead.
  async openAgain(wait) {
    if (await credential.isRefused()) {
      credential.end();
      return this.show(null);
    }
    this.openTimer = setTimeout(() => { this.openTimer = null; this.open(); }, wait);
  }

  post(message) { if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }

  /// Resolves with the answer. Shows the reason of a refusal, unless `quiet`.
  command(command, given = {}, { quiet = false } = {}) {
    if (!this.isOpen) return Promise.resolve({ status: "refused", reason: "There is no connection." });
    const id = String(this.nextID++);
    this.post({ type: "command", id, command, arguments: given });
    return new Promise(resolve => this.pending.set(id, answer => {
      if (answer.status === "refused" && !quiet) say(sentence(answer.reason) ?? "The camera's program refused that.");
      resolve(answer);
    }));
  }

  answer(message) {
    this.pending.get(message.id)?.(message);
    this.pending.delete(message.id);
  }

  // The clock of the server, computed from the quickest of its last answers.

  askClock(silence = SILENCE) {
    const id = `clock${this.nextID++}`;
    this.clocks.set(id, performance.now());
    this.post({ type: "clock", id });
    setTimeout(() => { if (this.clocks.has(id)) this.drop(); }, silence);
  }

  clock(message) {
    const asked = this.clocks.get(message.id), now = performance.now();
    if (asked === undefined || !Number.isFinite(message.time)) return;
    this.clocks.delete(message.id);
    this.clockAnswers = this.clockAnswers.filter(({ at }) => now - at <= CLOCK_AGE);
    this.clockAnswers.push({ at: now, trip: now - asked, offset: message.time - (asked + now) / 2 });
    this.clockOffset = this.clockAnswers.reduce((best, next) => next.trip <= best.trip ? next : best).offset;
    this.clockCount = (this.clockCount ?? 0) + 1;
    clearTimeout(this.clockTimer);
    this.clockTimer = setTimeout(() => { if (this.isOpen && this.clocks.size === 0) this.askClock(); }, this.clockCount < 8 ? 50 : 2000);
  }

  /// Converts a time of `performance.now()` to milliseconds of the server's monotonic clock. Null if that is not known yet.
  serverTime(local) { return this.clockOffset === null ? null : local + this.clockOffset; }
}

function socketAddress(path) { return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`; }
