// The checks of check-viewfinder for those parts of the page that run without the page. Returns [what, whether it holds] pairs.
() => {
  const results = [], check = (holds, what) => results.push([what, Boolean(holds)])
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
  const near = (a, b, by = 1e-9) => Math.abs(a - b) <= by
  const centred = factor => [0.5 - 0.5 / factor, 0.5 - 0.5 / factor, 1 / factor, 1 / factor]

  // Text.
  check(timecodeText(3661.5, 30) === "01:01:01:15", "time-code of 3661.5 s at 30")
  check(timecodeText(0.999, 29.97).slice(-2) === "29", "time-code never counts past the rate")
  check(timecodeSeconds("01:01:01:15", 30) === 3661.5 && timecodeSeconds("1:2", 30) === null, "time-code read back")
  check(biasText(0) === "+0.0 EV" && biasText(-0.7) === "-0.7 EV" && biasText(-0.04) === "+0.0 EV", "bias always has its sign")
  check(["1/100", " 100 ", "0.01", "0,01 s", "1/100 s", "1/100s", "10ms", "10 ms"].every(text => near(typedShutter(text), 0.01)) && typedShutter("2 s") === 2 && typedShutter("1") === 1 && typedShutter("0.5s") === 0.5, "a shutter typed as cameras write it")
  check(["", "1/", "fast", "1/0x", "--1", "1 2", "0", "-5", "1/-2", "108°"].every(text => Number.isNaN(typedShutter(text))) && typedNumber("5600 K") === 5600 && typedNumber("-1,5") === -1.5 && typedShare("40 %") === 0.4, "what is no value is none; a unit may follow")
  check(zoomText(2) === "2x" && zoomText(1.3) === "1.3x" && zoomText(0.999) === "1x", "a zoom has a tenth only if it is none")

  // JSON Merge Patch: the examples of RFC 7396.
  const patches = [[{ a: "b" }, { a: "c" }, { a: "c" }], [{ a: "b" }, { a: null }, {}], [{ a: ["b"] }, { a: "c" }, { a: "c" }], [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }], [["a", "b"], ["c", "d"], ["c", "d"]], [{ a: "b" }, ["c"], ["c"]], [{ a: "foo" }, null, null], [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }], [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }]]
  check(patches.every(([target, patch, result]) => same(mergePatch(target, patch), result)), "merge patch as RFC 7396 has it")
  const kept = { a: { b: 1 }, c: { d: 1 } }
  check(mergePatch(kept, { c: { d: 2 } }).a === kept.a, "what a patch leaves stays the same object")

  // Points: four angles, fill and fit, three zooms, two surfaces. A point converted there and back is within half a pixel; one outside the picture is held at the edge.
  let worst = 0, isHeld = true
  for (const rotation of [0, 90, 180, 270]) for (const fit of ["fill", "fit"]) for (const zoom of [1, 1.7, 4]) for (const surface of [{ width: 375, height: 667 }, { width: 1440, height: 900 }]) {
    const crop = centred(zoom), part = turnedRect(crop, rotation, false), upright = rotation % 180 ? { width: 720, height: 1280 } : { width: 1280, height: 720 }
    const geometry = new Geometry({ picture: upright, part, surface, fit })
    for (const point of [[0.5, 0.5], [part[0], part[1]], [part[0] + part[2] * 0.9, part[1] + part[3] * 0.2]]) {
      // The expected place, computed here: that of the point in the upright part, scaled. A picture that is shown whole lies nearer to the upper edge.
      const scale = (fit === "fill" ? Math.max : Math.min)(surface.width / upright.width, surface.height / upright.height)
      const x = surface.width / 2 + ((point[0] - part[0]) / part[2] - 0.5) * upright.width * scale
      const y = (surface.height - upright.height * scale) * (fit === "fill" ? 0.5 : 0.35) + (point[1] - part[1]) / part[3] * upright.height * scale
      const [u, v] = geometry.toSurface(point), back = geometry.toPicture(u, v)
      worst = Math.max(worst, Math.abs(u - x), Math.abs(v - y), Math.abs(back[0] - point[0]) * upright.width, Math.abs(back[1] - point[1]) * upright.height)
    }
    isHeld = isHeld && geometry.toPicture(-1e5, 1e5).every((value, axis) => value === (axis ? 1 : 0))
  }
  check(worst < 0.5, `points of the surface and the picture within half a pixel (${worst.toExponential(1)})`)
  check(isHeld, "a point outside the picture is held at its edge")
  // A photo and a preview, each turned by any angle, the preview mirrored or not: a point is converted there and back. The expected points of a mirrored preview are written here.
  let isBack = true
  for (const capture of [0, 90, 180, 270]) for (const preview of [0, 90, 180, 270]) for (const isPreviewMirrored of [false, true]) {
    const rotation = { capture, preview, isPreviewMirrored, isCaptureMirrored: false }, there = toPreview([0.2, 0.1], rotation)
    isBack = isBack && toCapture(there, rotation).every((value, axis) => near(value, [0.2, 0.1][axis])) && (capture !== preview || isPreviewMirrored || same(there.map(value => Math.round(value * 1e9) / 1e9), [0.2, 0.1]))
  }
  check(isBack && toPreview([0.2, 0.1], { capture: 0, preview: 0, isPreviewMirrored: true }).every((value, axis) => near(value, [0.8, 0.1][axis])), "what is told of a photo's picture lies right in a preview that is turned otherwise, or mirrored")
  check(same(rectBy(point => toPreview(point, { isPreviewMirrored: true }), [0.1, 0.2, 0.3, 0.4]).map(value => Math.round(value * 1e6) / 1e6), [0.6, 0.2, 0.3, 0.4]), "so does a rectangle")

  // Fill or fit: a wide picture on an upright phone is shown whole; if little is lost, the picture is cut so that it fills the window.
  const [wide, tall] = [{ width: 1280, height: 720 }, { width: 720, height: 1280 }], phone = { width: 375, height: 667 }, desk = { width: 1440, height: 900 }
  check(gravityOf(wide, phone) === "fit" && gravityOf(tall, phone) === "fill" && gravityOf(wide, desk) === "fill" && gravityOf(tall, desk) === "fit", "a picture is whole where filling the window would hide more than a fifth of it")
  check(near(seenShare(wide, desk), 0.9) && gravityOf(wide, desk, "fit") === "fit" && gravityOf(wide, phone, "fill") === "fill", "and the user has the last word")
  check(same(turned([0.2, 0.1], 90, false), [0.9, 0.2]) && same(turnedRect([0, 0, 0.5, 0.25], 90, false), [0.75, 0, 0.25, 0.5]), "a turn is clockwise")

  // The drawn picture: 64 × 32 stored pixels, light in the upper left quarter, turned by each angle; and that quarter alone, as a crop.
  const stored = new OffscreenCanvas(64, 32), paint = stored.getContext("2d")
  paint.fillRect(0, 0, 64, 32); paint.fillStyle = "#fff"; paint.fillRect(0, 0, 32, 16)
  const drawn = new OffscreenCanvas(1, 1).getContext("2d"), lightAt = { 0: [0, 0], 90: [1, 0], 180: [1, 1], 270: [0, 1] }
  for (const rotation of [0, 90, 180, 270]) {
    drawUpright(drawn, stored, { rotation })
    const { width, height } = drawn.canvas, corner = ([x, y]) => drawn.getImageData(x ? width - 8 : 8, y ? height - 8 : 8, 1, 1).data[0] > 128
    const lit = [[0, 0], [1, 0], [1, 1], [0, 1]].filter(corner)
    check(same(lit, [lightAt[rotation]]) && width === (rotation % 180 ? 32 : 64), `a picture is turned clockwise by ${rotation}`)
  }
  drawUpright(drawn, stored, { rotation: 0, crop: [0, 0, 0.5, 0.5] })
  check(drawn.canvas.width === 32 && drawn.canvas.height === 16 && drawn.getImageData(30, 14, 1, 1).data[0] > 128, "a crop is what is drawn")

  // Gestures.
  check(swipe(0, -41) === "show" && swipe(0, 41) === "hide" && swipe(0, -39) === null && swipe(0, 40) === null, "a vertical swipe counts beyond 40 pixels")
  check(swipe(-41, 0) === "show" && swipe(41, 0) === "hide" && swipe(39, 10) === null && swipe(50, -50) === null, "so does one from right to left, and back")
  const touch = moves => { const told = [], gestures = new Gestures(name => told.push(name)); moves(gestures); return told }
  check(same(touch(g => { g.down(1, 0, 0, 0); g.tick(499); g.up(1, 0, 0, 499) }), ["tap"]), "499 ms tap")
  check(same(touch(g => { g.down(1, 0, 0, 0); g.tick(500); g.up(1, 0, 0, 600) }), ["press"]), "500 ms press, and no tap after it")
  check(same(touch(g => { g.down(1, 0, 0, 0); g.down(2, 100, 0, 1); g.move(2, 200, 0); g.up(2, 200, 0, 9); g.up(1, 0, 0, 10) }), ["pinch", "pinched"]), "two fingers pinch, and neither swipe nor tap")

  // The wheel.
  const events = [], wheel = new Wheel({ min: -2, max: 2, step: 0.1 }, (name, value) => events.push([name, value])), of = name => events.filter(([own]) => own === name).map(([, value]) => value)
  check(wheel.values.length === 41 && wheel.value === 0 && same(wheel.values.filter(value => Number.isInteger(value)), [-2, -1, 0, 1, 2]), "the wheel has a tick for each tenth, and starts at zero")
  const trace = [], pull = (to, ms) => { wheel.begin(500, 0); for (let t = 10; t <= ms; t += 10) { wheel.drag(500 + (to - 500) * t / ms, t); trace.push(wheel.position) } wheel.end(ms); let t = ms; while (wheel.isActive && t < 5000) { t += 8; wheel.advance(t); trace.push(wheel.position) } return t }
  pull(200, 60)
  const isMonotone = trace.every((place, index) => index === 0 || place >= trace[index - 1] - 1e-9)
  check(isMonotone && Math.max(...trace) <= 40, "a fling to the end is monotone, and never beyond it")
  check(Number.isInteger(wheel.position) && wheel.value === 2, "and rests on the last tick")
  check(same(of("tick"), wheel.values.slice(21)), "one tick for each step crossed, in order")
  check(same(of("commit"), [2]), "one commit")
  events.length = 0; trace.length = 0
  wheel.begin(500, 10_000); wheel.end(10_010)
  for (let t = 10_010; t < 11_000; t += 8) wheel.advance(t)
  check(events.length === 0, "nothing turned, nothing committed")
  wheel.begin(500, 20_000)
  const previews = []; let last = 0
  for (let t = 20_000; t <= 21_000; t += 5) { const before = of("preview").length; wheel.drag(500 + (t - 20_000) / 5, t); if (of("preview").length > before) { previews.push(t - last); last = t } }
  wheel.drag(700.0, 21_100); wheel.end(21_300)
  let restedAt = null, committedAt = null
  for (let t = 21_300; t < 23_000; t++) { wheel.advance(t); if (restedAt === null && wheel.phase === "rest") restedAt = t; if (committedAt === null && of("commit").length) committedAt = t }
  check(previews.slice(1).every(wait => wait >= 100) && previews.length >= 8, `previews at most ten a second (${previews.length} in one)`)
  check(near(committedAt - restedAt, 150, 1), `committed 150 ms after it rests (${committedAt - restedAt})`)
  events.length = 0
  wheel.reset(30_000); for (let t = 30_000; t < 31_000; t += 8) wheel.advance(t)
  check(wheel.value === 0 && same(of("commit"), [0]), "zero puts the wheel back")
  const tapped = (ticks, at) => { wheel.begin(500, at); wheel.tap(ticks, at + 50); for (let t = at + 50; t < at + 1000; t += 8) wheel.advance(t); return wheel.value }
  check(tapped(-10, 31_000) === -1 && tapped(4.2, 32_000) === -0.6 && tapped(0.3, 33_000) === -0.6, "a tap on a mark turns the wheel there")
  check(tapped(6.8, 34_000) === 0 && tapped(11, 35_000) === 1 && tapped(500, 36_000) === 2, "a tap beside a whole number means it, and one beyond the scale its end")
  wheel.reset(37_000); for (let t = 37_000; t < 37_500; t += 8) wheel.advance(t)
  wheel.begin(500, 38_000); for (let t = 10; t <= 40; t += 10) wheel.drag(500 - t * 2, 38_000 + t); wheel.end(38_040); wheel.advance(38_050)
  const caught = wheel.position; wheel.begin(600, 38_060); wheel.tap(9, 38_080); for (let t = 38_080; t < 39_000; t += 8) wheel.advance(t)
  check(wheel.phase === "rest" && wheel.index === Math.round(caught), "a touch that stops a fling does nothing else")
  wheel.follow(1.3); check(wheel.value === 1.3, "the wheel follows the camera")
  events.length = 0
  wheel.step(1, 40_000); wheel.step(-1, 40_020); for (let t = 40_020; t < 41_000; t += 8) wheel.advance(t)
  check(same(of("commit"), [1.3]), "there and back is committed: a preview on the way may not have been applied")

  // How the picture moves: a texture, seen by a camera that moves over it, in pixels of the copies.
  let dice = 7
  const chance = () => (dice = dice * 16807 % 2147483647) / 2147483647
  const knots = Array.from({ length: 64 * 64 }, chance), knot = (x, y) => knots[(y & 63) * 64 + (x & 63)]
  const texture = (x, y) => { const [u, v] = [x / 3, y / 3], [i, j] = [Math.floor(u), Math.floor(v)], [a, b] = [u - i, v - j]; return 255 * ((knot(i, j) * (1 - a) + knot(i + 1, j) * a) * (1 - b) + (knot(i, j + 1) * (1 - a) + knot(i + 1, j + 1) * a) * b) }
  const copyAt = (left, top, size = 1) => { const grey = new Uint8Array(64 * 36); for (let y = 0; y < 36; y++) for (let x = 0; x < 64; x++) grey[y * 64 + x] = texture(left + x * size, top + y * size); return { width: 64, height: 36, grey } }
  const trail = new Trail()
  let furthest = 0
  for (let picture = 0; picture < 60; picture++) trail.note(copyAt(100 + 0.37 * picture, 50 - 0.11 * picture), picture * 33, WHOLE)
  for (const time of [1947 - 33, 1947 - 330, 1947 - 1000]) { const far = trail.since(time), steps = (1947 - time) / 33; furthest = Math.max(furthest, Math.abs(far[0] * 64 + 0.37 * steps), Math.abs(far[1] * 36 - 0.11 * steps)) }
  check(furthest < 0.15, `what was read lies where the picture has gone since, within ${furthest.toFixed(2)} of 64`)
  check(trail.since(1947).every(far => far === 0), "and where it was in a picture that is shown itself")
  check(trail.since(-500) === null && trail.since(NaN) === null && new Trail().since(0) === null, "of a picture that nobody has seen it is left out")
  for (let picture = 60; picture < 70; picture++) trail.note(copyAt(100, 50), picture * 33, WHOLE)
  check(trail.since(60 * 33) !== null && trail.since(50 * 33) === null, "so it is after another picture has come")
  const still = new Trail()
  for (let picture = 0; picture < 10; picture++) still.note(copyAt(100, 50), picture * 33, WHOLE)
  for (let picture = 10; picture < 20; picture++) still.note(copyAt(100 + 16, 50 + 9, 0.5), picture * 33, centred(2))
  check(still.since(100)?.every(far => near(far, 0, 0.002)), "a zoom moves nothing of the whole picture")

  // Keys. A held key has one effect, unless it is one of a step.
  let pressed = ""
  const held = Object.assign(Object.create(Keys.prototype), { actions: new Map(["r", " ", "+", "ArrowLeft"].map(key => [key, () => { pressed += `${key};` }])) })
  for (const key of ["R", " ", "+", "ArrowLeft"]) for (const repeat of [false, true, true]) held.press({ key, repeat, target: null, preventDefault() {} })
  check(pressed === "r; ;+;+;+;ArrowLeft;ArrowLeft;ArrowLeft;", "a held key records once, and steps many times")

  // The code in the pictures.
  const cells = value => { let word = (BigInt(value) << 16n | BigInt(codeChecksum(value))) ^ CODE_WHITENING, bit = 47n; return [...CODE_ANCHORS].map(anchor => anchor === "." ? Number(word >> bit-- & 1n) : Number(anchor)) }
  check(codeChecksum(0x31323334) === 0x5349, "the check sum of the code is CRC-16/IBM-3740")
  check([0, 1, 4_294_967_295, 123_456].every(value => codeValue(cells(value).map(cell => cell ? 228 : 24)) === value), "the code is read back")
  check(codeValue(cells(7).map((cell, index) => (index === 20 ? !cell : cell) ? 228 : 24)) === null, "a damaged code is refused")
  // Ten hours: a server's clock that gains 50 µs a second, answers that take up to 40 ms, divided at random between the ways there and back; a lost answer now and then.
  const { now: realNow } = performance, realTimeout = window.setTimeout
  let time = 0, due = [], seed = 1, errors = Array(10).fill(0), most = 0
  const random = () => (seed = seed * 16807 % 2147483647) / 2147483647
  const serverClock = local => 5e6 + local * 1.00005
  try {
    performance.now = () => time
    window.setTimeout = (then, wait) => due.push([time + wait, then])
    const link = new Connection()
    link.state = {}
    link.post = ({ id }) => {
      const trip = random() < 0.3 ? 0.3 + random() : 5 + 35 * random(), there = time + trip * random()
      due.push([time + trip, () => link.clock({ id, time: serverClock(there) })])
    }
    link.askClock()
    while (due.length && time < 36e6) {
      due.sort(([a], [b]) => a - b)
      const [at, then] = due.shift()
      time = at
      if (link.clockOffset !== null && time > 1000) { const hour = Math.min(9, Math.floor(time / 36e5)); errors[hour] = Math.max(errors[hour], Math.abs(link.serverTime(time) - serverClock(time))) }
      then()
      most = Math.max(most, link.clocks.size + link.clockAnswers.length + due.length)
    }
  } finally { performance.now = realNow.bind(performance); window.setTimeout = realTimeout; delete performance.now }
  check(time > 35.9e6 && errors.every(error => error > 0 && error < 10) && errors[9] < 2 * Math.max(...errors.slice(0, 5)), `in ten hours the server's clock is known within ${Math.max(...errors).toFixed(1)} ms, in the last no worse than before (${errors[0].toFixed(1)}, ${errors[9].toFixed(1)})`)
  check(most < 60, `of its answers ${most} are kept at most`)
  // A connection on which nobody answers, as after a sleep or in another network, counts as lost.
  const links = [false, true].map(isAnswered => {
    const link = Object.assign(new Connection(), { state: {}, socket: { close() { this.isClosed = true } }, openAgain() { this.isAgain = true } }), timers = []
    link.post = ({ id }) => { if (isAnswered) link.clock({ id, time: 1 }) }
    try {
      window.setTimeout = (then, wait) => timers.push([wait, then])
      link.askClock()
      timers.filter(([wait]) => wait === SILENCE).forEach(([, then]) => then())
    } finally { window.setTimeout = realTimeout }
    return link
  })
  check(links[0].state === null && links[0].socket.isClosed && links[0].isAgain, "a connection that does not answer for ten seconds counts as lost")
  check(links[1].state !== null && !links[1].socket.isClosed, "one that answers does not")
  const long = Object.assign(Object.create(Picture.prototype), { shown: [], connection: { serverTime: local => local, post() {} } })
  for (let number = 1; number <= 1_080_000; number++) long.report({ number, time: 0 }, number)
  check(long.shown.length === 600 && long.shown[599].number === 1_080_000, "of 1,080,000 pictures it keeps what it read of 600")

  return results
}
