// The live picture: messages of a WebSocket, decoded outside this thread and drawn at once. The canvas has the size of the picture; its style fits
// it into the window (`object-fit`), so that resizing the window costs little.

/// Milliseconds without a picture after which the page says that it is loading.
const LOADING_AFTER = 100;

class Picture {
  constructor(canvas, connection) {
    this.canvas = canvas;
    this.connection = connection;
    // `willReadFrequently`: the code in the picture is read back, which is quicker from ordinary memory than from the graphics card.
    this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    this.header = null;
    /// The numbers, codes and latencies of the last pictures.
    this.shown = [];
    this.watchers = [];
    this.retry = RETRY_FIRST;
    this.isWanted = false;
    /// "fill" or "fit" as the user has chosen; null before.
    this.gravityWish = null;
    this.above = FIT_ABOVE;
    new ResizeObserver(() => this.lay()).observe(canvas);
  }

  /// Lets the picture fill the window, or shows all of it within the window.
  lay() {
    if (!this.header || !this.canvas.clientWidth) return;
    this.gravity = gravityOf(this.canvas, { width: this.canvas.clientWidth, height: this.canvas.clientHeight }, this.gravityWish);
    this.canvas.style.objectFit = this.gravity === "fit" ? "contain" : "cover";
    this.canvas.style.objectPosition = `50% ${this.gravity === "fit" ? this.above * 100 : 50}%`;
  }

  onDrawn(watcher) { this.watchers.push(watcher); }

  open() {
    this.isWanted = true;
    if (this.socket || credential.isOver) return;
    this.waitForPicture();
    const socket = this.socket = credential.socket("/pictures");
    socket.binaryType = "arraybuffer";
    socket.onmessage = message => this.receive(socket, message.data);
    socket.onopen = () => { this.retry = RETRY_FIRST; };
    socket.onclose = () => this.closed(socket);
  }

  close() {
    this.isWanted = false;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.clear();
  }

  closed(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    if (!this.isWanted) return;
    setTimeout(() => { if (this.isWanted) this.open(); }, this.retry);
    this.retry = Math.min(this.retry * 2, RETRY_LAST);
  }

  /// Paints the canvas black, so that no old picture stays.
  clear() {
    clearTimeout(this.loadingTimer);
    find("loading").hidden = true;
    this.header = null;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.watchers.forEach(watcher => watcher(null));
  }

  /// Called when the picture is no longer live: "loading" is not shown then. The next picture is live again.
  stale() {
    clearTimeout(this.loadingTimer);
    find("loading").hidden = true;
  }

  waitForPicture() {
    clearTimeout(this.loadingTimer);
    this.loadingTimer = setTimeout(() => { find("loading").hidden = this.header !== null; }, LOADING_AFTER);
  }

  /// Shows the picture that came with the document (of a camera that others watch already), unless a later one is there.
  async begin(early) {
    if (!early) return;
    const bitmap = await early.bitmap;
    if (this.isWanted && this.header === null) this.show(bitmap, early.header);
    bitmap.close();
  }

  async receive(socket, data) {
    const part = readPicture(data);
    if (!part) return socket.close();
    try {
      const bitmap = await decode(part.bytes);
      if (this.socket === socket) this.show(bitmap, part.header);
      bitmap.close();
    } catch { this.damaged = (this.damaged ?? 0) + 1; }
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ got: part.header.number }));
  }

  show(bitmap, header) {
    drawUpright(this.context, bitmap, header);
    if (this.header === null) { clearTimeout(this.loadingTimer); find("loading").hidden = true; }
    this.header = header;
    this.lay();
    this.watchers.forEach(watcher => watcher(header));
    const code = this.readCode(header), drawnAt = performance.now();
    afterFrame(() => {
      this.firstAt ??= performance.now();
      this.report(header, code, performance.now() - drawnAt);
    });
  }

  /// Which part of the full picture is drawn: `crop` is cut out by the page, `part` was cut out by the server.
  part(header) { return header.crop ?? header.part ?? WHOLE; }

  /// The number that a simulated camera draws into its pictures, read from the canvas; null if there is none.
  readCode(header) {
    const { format, rotation: turns } = this.connection.state ?? {};
    if (!format || this.hasNoCode > 60) return null;
    const stored = simulatedCode(format.width, format.height), crop = this.part(header);
    const local = [(stored[0] - crop[0]) / crop[2], (stored[1] - crop[1]) / crop[3], stored[2] / crop[2], stored[3] / crop[3]];
    // The pixels on the canvas are upright, whether the page or the server turned them.
    const rotation = turns?.preview ?? 0, isMirrored = turns?.isPreviewMirrored ?? false, [x, y, w, h] = turnedRect(local, rotation, isMirrored);
    const rect = [x * this.canvas.width, y * this.canvas.height, w * this.canvas.width, h * this.canvas.height].map(Math.round);
    if (rect[2] < 16 || rect[3] < 16 || rect[0] < 0 || rect[1] < 0) return null;
    const code = codeValue(codeLevels(this.context.getImageData(...rect), rotation, isMirrored));
    this.hasNoCode = code === null ? (this.hasNoCode ?? 0) + 1 : 0;
    return code;
  }

  /// - Parameter wait: milliseconds from the drawing of a picture until its frame was handed to the compositor.
  report(header, code, wait) {
    const shownAt = this.connection.serverTime(performance.now());
    if (shownAt === null || !Number.isFinite(header.time)) return;
    const latency = shownAt - header.time;
    this.shown.push({ number: header.number, time: header.time, code, latency, wait });
    if (this.shown.length > 600) this.shown.shift();
    this.connection.post({ type: "shown", number: header.number, ...(code === null ? {} : { code }), shownAt, latency });
  }

  /// How the drawn picture lies on a surface; null without a picture.
  geometry(surface) {
    if (!this.header) return null;
    const part = turnedRect(this.part(this.header), this.header.rotation ?? 0, false);
    return new Geometry({ picture: { width: this.canvas.width, height: this.canvas.height }, part, surface, fit: this.gravity, above: this.above });
  }
}

/// Reads a message of /pictures: the length of the JSON, the JSON, the picture. Null if it is invalid.
function readPicture(data) {
  if (!(data instanceof ArrayBuffer) || data.byteLength < 4) return null;
  const length = new DataView(data).getUint32(0, true);
  if (length > data.byteLength - 4) return null;
  try {
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    return isObject(header) ? { header, bytes: new Uint8Array(data, 4 + length) } : null;
  } catch { return null; }
}

function decode(bytes) { return createImageBitmap(new Blob([bytes], { type: "image/jpeg" })); }

/// Begins to decode a message of /pictures in Base64. Null if there is none.
function beginPicture(text) {
  if (!text) return null;
  let letters;
  try { letters = atob(text); } catch { return null; }
  const bytes = new Uint8Array(letters.length);
  // `Uint8Array.from` with a function takes longer for a picture than connecting does.
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  const part = readPicture(bytes.buffer);
  return part && { header: part.header, bitmap: decode(part.bytes) };
}

/// Draws `crop` of a stored picture, turned by `rotation`; the canvas takes its size.
function drawUpright(context, bitmap, { rotation = 0, crop = WHOLE }) {
  const canvas = context.canvas, isTurned = rotation % 180 !== 0;
  const [x, y] = [crop[0] * bitmap.width, crop[1] * bitmap.height];
  const width = Math.max(1, Math.round(crop[2] * bitmap.width)), height = Math.max(1, Math.round(crop[3] * bitmap.height));
  const size = isTurned ? [height, width] : [width, height];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  context.setTransform(1, 0, 0, 1, size[0] / 2, size[1] / 2);
  context.rotate(rotation * Math.PI / 180);
  context.drawImage(bitmap, x, y, width, height, -width / 2, -height / 2, width, height);
  context.setTransform(1, 0, 0, 1, 0, 0);
}

/// Calls `then` after the frame that contains what was just drawn was handed to the compositor.
function afterFrame(then) {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = then;
    channel.port2.postMessage(null);
  });
}
