// The code that scripts/peers-view adds to a page: it draws the pictures of a film, and notes when one of them is in the pixels of the page. The parts geometry.js and time-code.js come before it.

/// One picture of the film as a JPEG in base 64: a scene of some detail that moves, and the number where simulated cameras have it.
async function filmPicture(number, width, height) {
  const canvas = new OffscreenCanvas(width, height), paint = canvas.getContext("2d", { alpha: false });
  for (let column = 0; column < 32; column++) for (let row = 0; row < 18; row++) {
    paint.fillStyle = `hsl(${(column * 11 + row * 20) % 360} ${20 + (column * 7 + row * 13) % 60}% ${25 + (column * 5 + row * 3) % 50}%)`;
    paint.fillRect(column * width / 32, row * height / 18, width / 32, height / 18);
  }
  paint.fillStyle = "#eee";
  paint.fillRect(200 + number * 8 % (width - 400), height / 2, 180, 180);
  paint.font = "40px sans-serif";
  for (let line = 2; line < 16; line++) paint.fillText(`The quick brown fox ${number + line}`, 300 + line * 9, line * height / 17);
  drawCode(paint, number, simulatedCode(width, height).map((share, axis) => Math.round(share * (axis % 2 ? height : width))));
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 })).arrayBuffer());
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
}

/// The cells of a number, as `codeValue` reads them.
function drawCode(paint, number, [left, top, side]) {
  let word = (BigInt(number) << 16n | BigInt(codeChecksum(number))) ^ CODE_WHITENING, place = 47n;
  for (let cell = 0; cell < CODE_SIDE * CODE_SIDE; cell++) {
    const isLight = CODE_ANCHORS[cell] === "." ? word >> place-- & 1n : CODE_ANCHORS[cell] === "1";
    paint.fillStyle = isLight ? "#ebebeb" : "#141414";
    paint.fillRect(left + cell % CODE_SIDE * side / CODE_SIDE, top + Math.floor(cell / CODE_SIDE) * side / CODE_SIDE, side / CODE_SIDE, side / CODE_SIDE);
  }
}

/// Looks at an element (an image or a canvas) before each frame of the page, and notes a number that was not there before, with the time after that frame was handed to
/// the compositor: [number, milliseconds of performance.now()]. Where no number is read, it is null.
function watchFilm(element) {
  const seen = window.filmSeen = [], small = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  let last;
  const look = () => {
    const width = element.naturalWidth ?? element.width, height = element.naturalHeight ?? element.height;
    if (width && height) {
      const [x, y, w, h] = simulatedCode(width, height).map((share, axis) => Math.round(share * (axis % 2 ? height : width)));
      if (small.canvas.width !== w) [small.canvas.width, small.canvas.height] = [w, h];
      small.drawImage(element, x, y, w, h, 0, 0, w, h);
      const code = codeValue(codeLevels(small.getImageData(0, 0, w, h), 0, false));
      if (code !== last) {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => seen.push([code, performance.now()]);
        channel.port2.postMessage(null);
      }
      last = code;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
