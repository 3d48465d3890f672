import BookScan
import Foundation
import Imagery
import Library
import System
import Uploads

@testable import ScanStation

/// A folder of photographs and a library. Each photograph has the first bytes of a JPEG file, followed by the titles that the
/// scripted reader returns.
final class PhotographFixture: Sendable {
  let root = FileManager.default.temporaryDirectory.appending(path: "photographs-\(UUID().uuidString)")
  let read = Locked<[String]>([])
  /// Called with the titles of each photograph that is read.
  private let act: @Sendable (String) throws -> Void

  init(_ act: @escaping @Sendable (String) throws -> Void = { _ in }) throws {
    self.act = act
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  var folder: URL { root.appending(path: "shelves") }
  var library: String { root.appending(path: "library").path }

  static func bytes(_ titles: String) -> Data { Data([0xFF, 0xD8, 0xFF]) + Data(titles.utf8) }

  /// Adds a photograph, and returns its path.
  /// - Parameter titles: the titles of the books that the photograph shows, separated by commas.
  @discardableResult
  func add(_ name: String, _ titles: String) throws -> String {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Self.bytes(titles).write(to: file)
    return file.path
  }

  private var reader: PhotoReader {
    PhotoReader(name: "scripted") { [read, act] bytes in
      let text = String(decoding: bytes.dropFirst(3), as: UTF8.self)
      try act(text)
      read.withLock { $0.append(text) }
      return PhotoReader.Reading(
        size: PixelSize(width: 1000, height: 800),
        sightings: text.split(separator: ",").enumerated().map { index, title in
          SpineSighting(
            spine: SpineFinding(
              title: String(title), confidence: 0.9,
              box: Box(x: 100 + 60 * Double(index), y: 50, width: 30, height: 500), angle: 90))
        })
    }
  }

  struct Run {
    var news: [PhotographNews]
    var summary: PhotographSummary

    var unread: [String] {
      news.compactMap { if case .unread(_, let reason) = $0 { reason } else { nil } }
    }
    var progress: [PhotographProgress] {
      news.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }
  }

  /// Scans the folder with a new station, as a new process would.
  func run(_ names: [String]? = nil, again: Bool = false, clock: SteppedClock = SteppedClock()) async throws
    -> Run
  {
    let store = try Store(directory: library)
    let journal = ScanJournal(keepsCut: true)
    let station = PhotographStation(
      store: store,
      recognition: Recognition(WaySettings(), remote: nil, reader: reader, clock: clock, journal: journal),
      journal: journal, clock: clock)
    let watching = Task {
      var (tally, news): (PhotographTally, [PhotographNews]) = (PhotographTally(), [])
      for await event in station.events {
        tally.note(event)
        if case .photograph(let what) = event { news.append(what) }
      }
      return Run(news: news, summary: tally.summary)
    }
    do { try await station.run(PhotographSearch(names ?? [folder.path]).photographs, again: again) } catch {
      _ = await watching.value
      throw error
    }
    return await watching.value
  }

  func look<Value: Sendable>(_ body: (Store) async throws -> Value) async throws -> Value {
    try await body(try Store(directory: library, access: .visitor))
  }

  var titles: [String] {
    get async throws { try await look { try await $0.library.books().map(\.title).sorted() } }
  }
}
