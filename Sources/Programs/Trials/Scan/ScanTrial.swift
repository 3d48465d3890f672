package import BookScan
import Capture
import Corpora
package import EngineScenarios
import Foundation
import Imagery
import Library
package import Probes
import Replay
package import ScanStation
import System
import TalariaServer
import Uploads

/// One run of the scan station against the reference backend, in this process.
package struct ScanTrial: Sendable {
  /// The settings of the scan, and the faults that are injected.
  package struct Settings: Sendable {
    /// The way from photos to books.
    package var way = RecognitionWay.backend
    package var level = RecognitionLevel.accurate
    /// The seconds after which the scan ends, if the source has not ended before.
    package var seconds = 60.0
    /// The seconds at the start during which the backend cannot be reached.
    package var outage = 0.0
    /// The delay of each upload by the backend, milliseconds.
    package var delay = 0
    /// One scan in this many is lost; 0 for none.
    package var lose = 0
    /// Whether photos are taken as often as possible, instead of only when the picture is steady and new.
    package var isOften = false
    package var hasPreview = false
    /// Whether the scan ends without waiting for queued photos.
    package var isUndrained = false
    /// The fault of the preview or the backend; nil for none.
    package var fault: InjectedFault?

    package init() {}
  }

  private let folder: String
  private let settings: Settings
  private let source: any CameraSource
  private let store: Store
  private let reader: PhotoReader
  private let journal = ScanJournal()
  private let clock = PresentationClock()
  private let answers = BackendAnswers()

  /// Prepares a run.
  /// - Parameters:
  ///   - source: the specification of the camera source.
  ///   - folder: an empty folder.
  ///   - worker: the recogniser; nil for one that finds one invented book per photo at once.
  package init(_ source: String, folder: String, worker: RecognitionWorker?, _ settings: Settings) throws {
    self.folder = folder
    self.settings = settings
    self.source = try SourceSpecification(source).makeSource(corpusRoots: CorpusRoots.standard())
    store = try Store(directory: folder)
    reader = worker.map { PhotoReader(worker: $0, level: settings.level) } ?? Self.scriptedReader
  }

  private static let scriptedReader = PhotoReader(name: "scripted") { bytes in
    let size = try ImageFile.read(bytes).image.format.size
    let box = Box(x: 100, y: 100, width: 40, height: 100)
    let spine = SpineFinding(title: "Dune", author: "Frank Herbert", confidence: 0.9, box: box, angle: 90)
    return PhotoReader.Reading(size: size, sightings: [SpineSighting(spine: spine)])
  }

  package func run() async throws -> StationOutcome {
    let first = try server(port: 0)
    let port = first.port
    if settings.outage > 0 { first.stop() }
    let client = try TalariaClient(
      TalariaSettings(server: first.url), device: try BackendIdentity(directory: folder))
    let recognition = Recognition(
      WaySettings(first: settings.way, fallsBack: false), remote: client, reader: reader,
      journal: journal)
    let station = ScanStation(
      source: source, store: store, recognition: recognition, journal: journal,
      shutter: settings.isOften ? .interval(.milliseconds(250)) : .automatic)
    if settings.hasPreview {
      let end = MonotonicTime.now() + .milliseconds(Int64((settings.seconds - 1) * 1000))
      await station.session.add(clock.output(freezing: settings.fault == .freezes ? end : nil))
    }
    let watch = TrialWatch()
    let watching = Task { [store, lose = settings.lose] in
      for await event in station.events { await watch.note(event, store, losing: lose) }
    }
    try await station.start()
    let returned = try await comeBack(port)
    await watch.untilOver(within: settings.seconds)
    clock.end()
    await station.closeShutter()
    if !settings.isUndrained { try await station.drain() }
    var outcome = await watch.outcome
    if settings.outage > 0 { outcome.drainTime = (MonotonicTime.now() - returned.time).milliseconds }
    try await station.finish()
    await watching.value
    try await complete(&outcome, (returned.server ?? first).statistics)
    return outcome
  }

  /// Waits for the end of the outage, then starts the backend at the port that it had before.
  private func comeBack(_ port: UInt16) async throws -> (server: TalariaServer?, time: MonotonicTime) {
    guard settings.outage > 0 else { return (nil, .now()) }
    try await Task.sleep(for: .seconds(settings.outage))
    return (try server(port: port), .now())
  }

  private func server(port: UInt16) throws -> TalariaServer {
    let faults = FaultScript()
    if settings.delay > 0 { faults.always(.delay(settings.delay), at: .upload) }
    return try TalariaServer(port: port, faults: faults) {
      [reader, answers, misreading = settings.fault?.misreading] upload in
      let books: [FoundBook]
      if let text = upload.text {
        books = SpineLines.parse(text).map { FoundBook(title: $0.title, author: $0.author, isbn: $0.isbn) }
      } else {
        books = try await reader.read(upload.image ?? []).sightings.map(\.spine).map {
          FoundBook(title: $0.title, author: $0.author, isbn: $0.isbn, confidence: $0.confidence)
        }
      }
      return answers.note(books, misreading)
    }
  }

  private func complete(_ outcome: inout StationOutcome, _ seen: TalariaServer.Statistics) async throws {
    outcome.recognizer = reader.name
    outcome.uploads = seen.uploads
    outcome.jobs = seen.jobs
    outcome.openJobs = seen.openJobs
    outcome.imagesLeft =
      (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/images").count) ?? 0
    outcome.copies = journal.copies.count
    outcome.previewRates = clock.rates
    outcome.previewSeconds = clock.seconds
    let books = try await store.library.books(limit: 100_000)
    outcome.books = books.count
    guard let spines = try (source as? ReplaySource)?.corpus.truth()?.spines, !spines.isEmpty else { return }
    ShelfCount(titles: spines.map(\.title)).judge(
      books.map { "\($0.title) \($0.author)" }, answers.photos, outcome: &outcome)
  }
}

/// Records the events of a station, and when its source has ended.
private actor TrialWatch {
  private(set) var outcome = StationOutcome()
  private var began: MonotonicTime?
  private var isOver = false

  func note(_ event: ScanEvent, _ store: Store, losing: Int) async {
    switch event {
    case .accepted(let scan):
      outcome.accepted += 1
      outcome.acceptTimes.append(scan.acceptTime.milliseconds)
      began = began ?? .now()
      if losing > 0, outcome.accepted % losing == 0 { _ = try? await store.queue.drop(scan.key) }
    case .delivered(_, _, _, let time):
      outcome.delivered += 1
      if let time { outcome.latencies.append(time.milliseconds) }
      if let began { outcome.seconds = (MonotonicTime.now() - began).milliseconds / 1000 }
    case .fellBack: outcome.fallbacks += 1
    case .session(.ended), .session(.failed): isOver = true
    default: break
    }
  }

  func untilOver(within seconds: Double) async {
    let deadline = MonotonicTime.now() + .milliseconds(Int64(seconds * 1000))
    while !isOver, MonotonicTime.now() < deadline { try? await Task.sleep(for: .milliseconds(20)) }
  }
}

/// Records when pictures were presented, and the end of the period in which they should have been.
private final class PresentationClock: Sendable {
  private let times = Locked<[MonotonicTime]>([])
  private let ended = Locked<MonotonicTime?>(nil)

  /// Returns a preview output.
  /// - Parameter end: the time at which the preview freezes; nil for never.
  func output(freezing end: MonotonicTime?) -> PreviewOutput {
    let surface = OffscreenSurface(size: PixelSize(width: 1280, height: 720))
    return PreviewOutput(surface: end.map { FrozenSurface(surface, from: $0) } ?? surface) {
      [times] picture in
      times.withLock { $0.append(picture.presentedTime) }
    }
  }

  /// Ends the period in which pictures are expected.
  func end() { ended.withLock { $0 = $0 ?? .now() } }

  /// The seconds from the first picture to the end of the period.
  var seconds: Double {
    guard let first = times.withLock({ $0.first }), let end = ended.withLock({ $0 }) else { return 0 }
    return (end - first).milliseconds / 1000
  }

  /// The number of pictures in each whole second except the first, counted once forwards from the first picture and once
  /// backwards from the end. The backward count shows a preview that froze shortly before the end.
  var rates: [Double] {
    let times = times.withLock { $0 }
    guard let first = times.first, let end = ended.withLock({ $0 }) else { return [] }
    let whole = Int(seconds)
    guard whole >= 2 else { return [] }
    func count(from begin: MonotonicTime) -> Double {
      Double(times.count { $0 >= begin && $0 < begin + .seconds(1) })
    }
    return (1..<whole).map { count(from: first + .seconds($0)) }
      + (1..<whole).map { count(from: end + .seconds(-$0)) }
  }
}

/// A preview surface that freezes at a given time.
private final class FrozenSurface: PreviewSurface {
  private let base: OffscreenSurface
  private let end: MonotonicTime

  init(_ base: OffscreenSurface, from end: MonotonicTime) { (self.base, self.end) = (base, end) }

  func makeBuffer() -> PixelBuffer? { .now() < end ? base.makeBuffer() : nil }
  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    base.present(image, frame: frame)
  }
}
