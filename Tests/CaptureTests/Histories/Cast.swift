import Imagery
import System

@testable import Capture

/// Makes concurrent requests to a session. Each request runs in its own task, and the ledger lists it until it is answered.
final class Cast: Sendable {
  let session: CaptureSession
  private let clock: VirtualClock
  private let world: TroubledWorld
  private let ledger: AnswerLedger
  private let photos: PhotoOutput
  private let preview: PreviewOutput
  private let analysis: AnalysisOutput
  private let tasks = Locked<[Task<Void, Never>]>([])

  init(session: CaptureSession, clock: VirtualClock, world: TroubledWorld, ledger: AnswerLedger) {
    (self.session, self.clock, self.world, self.ledger) = (session, clock, world, ledger)
    photos = PhotoOutput(clock: clock)
    preview = PreviewOutput(
      surface: OffscreenSurface(size: PixelSize(width: 16, height: 16), clock: clock), clock: clock)
    analysis = AnalysisOutput(longSide: 16, clock: clock) { _ in }
  }

  func begin() async {
    await session.add(photos)
    await session.add(preview)
    ask("start") { try await $0.session.start() }
  }

  /// Stops the session, again if another request starts it meanwhile, and waits a limited time for all answers.
  /// - Returns: what went wrong.
  func end() async -> [String] {
    // Ten thousand rounds may take only milliseconds, while threads need real time to end.
    let end = SystemClock().now() + .seconds(20)
    var round = 0
    while round < 10_000 || SystemClock().now() < end {
      defer { round += 1 }
      if round < 10_000, round % 50 == 0 { ask("stop") { await $0.session.stop() } }
      await clock.run(for: .milliseconds(5))
      await Task.yield()
      if ledger.openCount == 0, await session.life == nil { return [] }
    }
    return ["nobody answered: \(ledger.open.joined(separator: ", "))"]
  }

  private func ask(_ what: String, _ body: @escaping @Sendable (Cast) async throws -> Void) {
    let id = ledger.ask(what)
    let task = Task { [self] in
      try? await body(self)
      ledger.answer(id)
    }
    tasks.withLock { $0.append(task) }
  }

  // MARK: The requests

  static let acts = 26

  func act(_ number: Int, _ dice: inout Dice) async {
    let roll = dice.roll(1000)
    switch number {
    case 0...4: ask("photo") { try await $0.photo(roll) }
    case 5, 6: ask("burst") { try await $0.burst(1 + roll % 7) }
    case 7, 8: ask("deferred photo") { try await $0.deferred(isCancelled: roll % 5 == 0) }
    case 9: ask("still") { try await $0.still() }
    case 10: ask("bracket") { try await $0.bracket() }
    case 11: ask("start") { try await $0.session.start() }
    case 12: ask("stop") { await $0.session.stop() }
    case 13: ask("prewarm") { try await $0.session.prewarm() }
    case 14: ask("background") { await $0.session.background() }
    case 15: ask("foreground") { try await $0.session.foreground() }
    case 16: ask("activity") { await $0.session.noteActivity() }
    case 17: ask("format") { try await $0.changeFormat(isWide: roll % 2 == 0) }
    case 18: ask("source") { try await $0.changeSource() }
    case 19: ask("output") { try await $0.changeOutputs(roll) }
    case 20, 21: ask("control") { await $0.setControls(roll) }
    case 22: ask("zoom") { await $0.zoom(roll) }
    case 23: session.rotation.noteAttitude(degrees: Double(roll % 4 * 90), at: clock.now())
    default: cancelOne(&dice)
    }
  }

  private func photo(_ roll: Int) async throws {
    let (modes, now) = (PhotoSettings.OrientationMode.allCases, clock.now())
    var settings = PhotoSettings(longSide: 8, orientationMode: modes[roll % 2])
    settings.priority = PhotoPriority.allCases[roll % 3]
    let photo = try await session.capturePhoto(settings, from: photos)
    if photo.photo.bytes.isEmpty { ledger.note("a photo is empty") }
    if photo.finishedTime < now { ledger.note("a photo was finished before it was asked for") }
  }

  private func burst(_ count: Int) async throws {
    let shots = try await session.captureBurst(of: count, PhotoSettings(longSide: 8), from: photos)
    var (answers, frames) = (0, [UInt32]())
    for await shot in shots {
      answers += 1
      if let photo = try? shot.get() { frames.append(photo.frame.sequence) }
    }
    // A cancelled task stops reading the stream, so some answers may be missing.
    if answers != count, !Task.isCancelled { ledger.note("a burst of \(count) had \(answers) answers") }
    if Set(frames).count != frames.count { ledger.note("a burst has a frame twice") }
  }

  private func deferred(isCancelled: Bool) async throws {
    let proxy = PhotoSettings(longSide: 4)
    let deferred = try await session.captureDeferredPhoto(
      PhotoSettings(longSide: 8), proxy: proxy, from: photos)
    if isCancelled { deferred.cancel() }
    let photo = try await deferred.finished()
    if photo.frame != deferred.proxy.frame {
      ledger.note("a deferred photo is of another frame than its proxy")
    }
  }

  private func still() async throws {
    let still = try await session.captureStill(
      size: PixelSize(width: 32, height: 16), PhotoSettings(longSide: 8), settling: 1, from: photos)
    if still.photo.frame.format.size != still.format.image.size { ledger.note("a still has the wrong size") }
  }

  private func bracket() async throws {
    let steps: [BracketStep] = [.bias(-1), .manual(duration: 0.002, iso: 200)]
    let shots = try await session.captureBracket(steps, PhotoSettings(longSide: 8), from: photos)
    if shots.map(\.step) != steps { ledger.note("a bracket of 2 had \(shots.count) answers") }
  }

  private func setControls(_ roll: Int) async {
    let settings: [(control: CameraControl, value: CameraControlValue)] = [
      (.iso, .number(Double(roll * 3))), (.exposureDuration, .number(0.001)), (.torch, .number(1)),
      (.exposureMode, .choice(roll % 2 == 0 ? "auto" : "nonsense")),
    ]
    let asked = Array(settings.prefix(1 + roll % 4))
    let results = await session.set(asked)
    if results.map(\.control) != asked.map({ $0.control }) {
      ledger.note("\(asked.count) settings had \(results.count) answers")
    }
  }

  private func zoom(_ roll: Int) async {
    _ = await session.rampZoom(to: 1 + Double(roll % 30) / 10, rate: 4)
  }

  private func changeFormat(isWide: Bool) async throws {
    try await session.configure { setup in
      setup.configuration.chooseFormat = { formats in formats.first { ($0.image.size.width == 32) == isWide }
      }
    }
  }

  private func changeSource() async throws {
    let source = TroubledSource(world: world, name: "other")
    try await session.configure { $0.source = source }
  }

  private func changeOutputs(_ roll: Int) async throws {
    let (analysis, preview, photos) = (analysis, preview, photos)
    try await session.configure { setup in
      switch roll % 5 {
      case 0: setup.add(analysis)
      case 1: setup.remove(analysis)
      case 2: setup.remove(preview)
      case 3: setup.remove(photos)
      default:
        setup.add(preview)
        setup.add(photos)
      }
    }
  }

  private func cancelOne(_ dice: inout Dice) {
    let all = tasks.withLock { $0 }
    if !all.isEmpty { all[dice.roll(all.count)].cancel() }
  }
}
