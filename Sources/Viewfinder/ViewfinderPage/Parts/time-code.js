// Reads the number that a simulated camera or a corpus draws into its pictures: eight by eight cells, of which four in each corner are fixed. The
// others hold 32 bits of value and their CRC-16/IBM-3740. The layout is that of `TimeCode` in Swift.

const CODE_SIDE = 8;
const CODE_ANCHORS = ["11....11", "10....10", "........", "........", "........", "........", "00....10", "01....00"].join("");
const CODE_WHITENING = 0x9A5C_63E1_36CAn;

function codeChecksum(value) {
  let remainder = 0xFFFF;
  for (const shift of [24, 16, 8, 0]) {
    remainder ^= (value >>> shift & 0xFF) << 8;
    for (let bit = 0; bit < 8; bit++) remainder = (remainder & 0x8000 ? remainder << 1 ^ 0x1021 : remainder << 1) & 0xFFFF;
  }
  return remainder;
}

/// The number of a code with these 64 levels, row by row. Null if they are no code.
function codeValue(levels) {
  let light = 0, dark = 0;
  levels.forEach((level, cell) => {
    if (CODE_ANCHORS[cell] === "1") light += level;
    if (CODE_ANCHORS[cell] === "0") dark += level;
  });
  if (light - dark < 8 * 24) return null;
  const threshold = (light + dark) / 16;
  let word = 0n;
  for (let cell = 0; cell < levels.length; cell++) {
    const isLight = levels[cell] > threshold;
    if (CODE_ANCHORS[cell] === ".") word = word << 1n | (isLight ? 1n : 0n);
    else if ((CODE_ANCHORS[cell] === "1") !== isLight) return null;
  }
  word ^= CODE_WHITENING;
  const value = Number(word >> 16n);
  return Number(word & 0xFFFFn) === codeChecksum(value) ? value : null;
}

/// The 64 levels of a code in an RGBA image that is turned by `rotation` and mirrored.
function codeLevels({ data, width, height }, rotation, isMirrored) {
  const levels = [];
  for (let cell = 0; cell < CODE_SIDE * CODE_SIDE; cell++) {
    const stored = [(cell % CODE_SIDE + 0.5) / CODE_SIDE, (Math.floor(cell / CODE_SIDE) + 0.5) / CODE_SIDE];
    const [x, y] = turned(stored, rotation, isMirrored);
    levels.push(levelAt(data, width, height, Math.floor(x * width), Math.floor(y * height)));
  }
  return levels;
}

/// The mean luma of the 3×3 pixels around a point.
function levelAt(data, width, height, x, y) {
  let sum = 0, count = 0;
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const at = (row * width + column) * 4;
      sum += 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
      count++;
    }
  }
  return count ? sum / count : 0;
}

/// The place where a simulated camera draws its code, as shares of the stored picture.
function simulatedCode(width, height) {
  const whole = Math.floor;
  const side = Math.max(24, whole(whole(Math.min(width, height) / 8) / 8) * 8), start = whole(whole(side / 4) / 2) * 2;
  return [start / width, start / height, side / width, side / height];
}
