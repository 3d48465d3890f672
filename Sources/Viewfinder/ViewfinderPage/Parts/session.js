// The state of the session in one line and, if there is no picture, the reason and the remedy. A hidden page pauses.

const SESSION_WORDS = { idle: "Idle", loading: "Loading", starting: "Starting", running: "", paused: "Paused", interrupted: "Interrupted", failed: "Failed", ended: "Ended" };

class SessionView {
  constructor(connection, picture) {
    Object.assign(this, { connection, picture });
    find("retry").addEventListener("click", () => connection.command("retry"));
    connection.onState((state, old) => this.show(state, old));
    document.addEventListener("visibilitychange", () => this.appear());
    // A phone that has slept tells it by one of these.
    for (const name of ["online", "pageshow", "focus"]) addEventListener(name, () => this.wake());
    document.addEventListener("resume", () => this.wake());
    find("entry").addEventListener("submit", event => { event.preventDefault(); this.enter(); });
  }

  wake() { if (!document.hidden) this.connection.wake(); }

  /// Opens the page anew by the token that the user has typed, or that the browser keeps for this address.
  async enter() { say(await credential.enter(find("entry-token").value)); }

  /// Called when the page is hidden or shown. A page that is shown again requests pictures at once, without waiting for the command's answer.
  appear() {
    this.connection.command(document.hidden ? "pause" : "resume", {}, { quiet: true });
    if (document.hidden) return this.picture.close();
    this.wake();
    this.picture.open();
  }

  show(state, old) {
    if (state && !old) {
      if (document.hidden) this.connection.command("pause", {}, { quiet: true }); else this.picture.open();
    }
    const session = state?.session, trouble = troubleOf(state);
    setText(find("session-line"), state ? SESSION_WORDS[session?.state] || recordingNote(state.camera) : "No connection");
    find("interruption").hidden = trouble === null;
    if (session && session.state !== "running" && session.state !== "starting" && session.state !== "loading") this.picture.stale();
    // On the old connection nobody may answer any more, and the server may know this page no longer.
    if (!state && old) this.picture.close();
    if (!trouble) return;
    setText(find("interruption-title"), trouble.title);
    setText(find("interruption-message"), trouble.message);
    setText(find("interruption-remedy"), trouble.remedy);
    find("retry").hidden = !trouble.canRetry;
    find("entry").hidden = !trouble.canEnter;
  }
}

/// The reason why a recording is played in place of a camera, so that nobody takes it for a camera; empty otherwise.
function recordingNote(camera) { return camera?.reason && !camera.source.startsWith("/dev/") ? camera.reason : ""; }

/// The title, message and remedy of a state without pictures; null if there is nothing to report.
function troubleOf(state) {
  if (!state && credential.isOver) return { title: "Logged out", message: "The viewfinder does not accept this page, or no longer does.", remedy: "Open the address that swiftwing view --serve printed.", canRetry: false, canEnter: true };
  if (!state) return { title: "No connection", message: "The connection to the camera's program is lost. This page keeps trying to connect.", remedy: "Check that swiftwing view --serve still runs.", canRetry: false };
  const { state: name, reason, message, remedy, severity } = state.session ?? {};
  if (name === "failed" && reason === "permissionDenied")
    return { title: "No permission for the camera", message: message ?? "", remedy: remedy || "Add this user to the group video, and log in again.", canRetry: true };
  if (name === "failed") return { title: "The camera failed", message: message ?? "", remedy: remedy ?? "", canRetry: true };
  if (name === "interrupted" && severity !== "silent")
    return { title: "Interrupted", message: message || "The camera is interrupted.", remedy: remedy ?? "", canRetry: true };
  return null;
}
