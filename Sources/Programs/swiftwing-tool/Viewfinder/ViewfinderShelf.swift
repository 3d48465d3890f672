import BookScan
import Capture
import Console
import Dock
import Imagery
import JSON
import Library
import RemoteControl
import System

/// The books beside a viewfinder: the spines in its pictures, and the contents of a library.
final class ViewfinderShelf: SpineControl {
  /// An output that ignores frames, used if no spines are read.
  private final class NoOutput: FrameOutput { func receive(_ frame: Frame) {} }

  private let spines: SpineOutput?
  private let library: Store?
  /// Adds photos to the library; nil if the library is only read.
  private let intake: ViewfinderIntake?
  private let shown = Locked<[String: JSONValue]>([:])
  private let looking = Locked<Task<Void, Never>?>(nil)
  let output: any FrameOutput

  /// Creates a shelf.
  /// - Parameters:
  ///   - reader: reads the pictures; nil if none are read.
  ///   - library: opened as owner if there is an intake, otherwise as visitor; nil for none.
  init(reader: SpineOutput.Reader?, library: Store?, intake: ViewfinderIntake? = nil) {
    let spines = reader.map { SpineOutput(reader: $0) }
    self.spines = spines
    self.library = library
    self.intake = intake
    output = spines ?? NoOutput()
  }

  deinit { looking.withLock { $0?.cancel() } }

  func state() async -> [String: JSONValue] {
    var members = shown.withLock { $0 }
    if let spines { members["spines"] = spines.value }
    return members
  }

  func read(_ isOn: Bool) async -> CommandOutcome {
    guard let spines else {
      return .refused("this viewfinder reads no spines; start it with `swiftwing view --serve --scan`")
    }
    spines.read(isOn)
    return .accepted()
  }

  func edit(_ book: Int64, title: String?, author: String?) async -> CommandOutcome {
    guard let library else {
      return .refused("this viewfinder shows no library; start it with `swiftwing view --serve --library`")
    }
    do {
      let book = try await library.library.edit(book, BookEdit(title: title, author: author))
      await look(into: library)
      return .accepted(["title": .string(book.title), "author": .string(book.author)])
    } catch { return .refused("\(error)") }
  }

  var photoSettings: PhotoSettings? { intake?.photoSettings }
  var refusal: String? { intake?.refusal }
  func accept(_ photo: [UInt8]) async -> PhotoAcceptance? { await intake?.accept(photo) }

  func outlines() async -> [DockRect] { spines?.outlines ?? [] }

  func observe(_ tell: @escaping @Sendable () -> Void) async {
    spines?.observe(tell)
    guard let library else { return }
    do {
      try await intake?.begin { [weak self] in
        Task {
          await self?.look(into: library)
          tell()
        }
      }
    } catch { Terminal.tell("\(error)") }
    await look(into: library)
    looking.withLock { looking in
      looking = Task { [weak self] in
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          guard let self else { return }
          if await look(into: library) { tell() }
        }
      }
    }
  }

  func end() async {
    looking.withLock { $0.take() }?.cancel()
    await intake?.end()
  }

  /// Reads the library.
  /// - Returns: whether its contents have changed.
  @discardableResult private func look(into store: Store) async -> Bool {
    let members: [String: JSONValue]
    do { members = try await self.members(of: store) } catch {
      let reason = JSONValue.object(["unsupported": .string("\(error)")])
      members = ["queue": reason, "library": reason]
    }
    return shown.withLock { shown in
      defer { shown = members }
      return shown != members
    }
  }

  private func members(of store: Store) async throws(DeliveryError) -> [String: JSONValue] {
    let (counts, count) = (try await store.queue.counts(), try await store.library.count())
    let newest = try await store.library.books(limit: 20)
    func number(_ value: Int) -> JSONValue { .integer(Int64(value)) }
    return [
      "queue": .object([
        "pending": number(counts.pending), "uploaded": number(counts.uploaded),
        "failed": number(counts.failed),
        // Only the program that delivers knows these values.
        "offline": intake.map { .bool($0.isOffline) } ?? .null,
        "limitedUntil": intake?.limitedUntil.map { .number($0) } ?? .null,
      ]),
      "library": .object([
        "books": number(count),
        "newest": .array(
          newest.map { book in
            .object([
              "id": .integer(book.id), "title": .string(String(book.title.prefix(200))),
              "author": .string(String(book.author.prefix(200))),
              "certainty": book.certainty.map { .string($0.rawValue) } ?? .null,
            ])
          }),
      ]),
    ]
  }
}
