// The state of the session: one line, and if there is no picture, the reason and the remedy. A hidden page pauses the camera.

const SESSION_WORDS = { idle: "Idle", loading: "Loading", starting: "Starting", running: "", paused: "Paused", interrupted: "Interrupted", failed: "Failed", ended: "Ended" };

class SessionView {
  constructor(connection, picture) {
    Object.assign(this, { connection, picture });
    find("retry").addEventListener("click", () => connection.command("retry"));
    connection.onState((state, old) => this.show(state, old));
    document.addEventListener("visibilitychange", () => this.appear());
  }

  /// Pauses for a hidden page. A page that becomes visible requests pictures at once, without waiting for the answer to "resume".
  appear() {
    this.connection.command(document.hidden ? "pause" : "resume", {}, { quiet: true });
    if (document.hidden) this.picture.close(); else this.picture.open();
  }

  show(state, old) {
    if (state && !old && document.hidden) this.connection.command("pause", {}, { quiet: true });
    const session = state?.session, trouble = troubleOf(state);
    setText(find("session-line"), state ? SESSION_WORDS[session?.state] || recordingNote(state.camera) : "No connection");
    find("interruption").hidden = trouble === null;
    if (session && session.state !== "running" && session.state !== "starting" && session.state !== "loading") this.picture.stale();
    if (!state && old) this.picture.clear();
    if (!trouble) return;
    setText(find("interruption-title"), trouble.title);
    setText(find("interruption-message"), trouble.message);
    setText(find("interruption-remedy"), trouble.remedy);
    find("retry").hidden = !trouble.canRetry;
  }
}

/// The note that a recording is shown, for a user who named no source and has no camera. Empty otherwise.
function recordingNote(camera) { return camera?.reason && !camera.source.startsWith("/dev/") ? camera.reason : ""; }

/// The message about a state without pictures. Null if the user need not know anything.
function troubleOf(state) {
  if (!state && credential.isOver) return { title: "Logged out", message: "The viewfinder does not accept this page, or no longer does.", remedy: "Open the address that swiftwing view --serve printed.", canRetry: false };
  if (!state) return { title: "No connection", message: "The link to the camera's program is lost. It is tried again.", remedy: "See whether swiftwing view --serve still runs.", canRetry: false };
  const { state: name, reason, message, remedy, severity } = state.session ?? {};
  if (name === "failed" && reason === "permissionDenied")
    return { title: "No permission for the camera", message: message ?? "", remedy: remedy || "Add this user to the group video, and log in again.", canRetry: true };
  if (name === "failed") return { title: "The camera failed", message: message ?? "", remedy: remedy ?? "", canRetry: true };
  if (name === "interrupted" && severity !== "silent")
    return { title: "Interrupted", message: message || "The camera is interrupted.", remedy: remedy ?? "", canRetry: true };
  return null;
}
