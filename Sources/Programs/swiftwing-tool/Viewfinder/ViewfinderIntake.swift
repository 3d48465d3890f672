import Capture
import Console
import FoundationEssentials
import Imagery
import Library
import RemoteControl
import ScanStation
import System
import Uploads

/// Adds the photos of a viewfinder to its library. Knows the settings of photos, whether photos are accepted, and the state of
/// the backend.
final class ViewfinderIntake: Sendable {
  private struct Board {
    var limitedUntil: Date?
    var isOffline = false
    var tell: @Sendable () -> Void = {}
  }

  private let intake: ScanIntake
  private let board = Locked(Board())
  private let watching = Locked<Task<Void, Never>?>(nil)
  let photoSettings: PhotoSettings
  private let library: String

  /// Creates an intake.
  /// - Parameters:
  ///   - store: a store that was opened as owner.
  ///   - journal: keeps the books and scans of the session, and sends its events. It must be the journal that `recognition` was made with;
  ///     otherwise the events lack the fallbacks and the books.
  init(_ store: Store, _ recognition: Recognition, journal: ScanJournal) {
    intake = ScanIntake(store: store, recognition: recognition, journal: journal)
    photoSettings = recognition.photoSettings
    library = store.directory
  }

  /// Begins to deliver.
  /// - Throws: `DeliveryError` if the library cannot be read.
  func begin(_ tell: @escaping @Sendable () -> Void) async throws(DeliveryError) {
    board.withLock { $0.tell = tell }
    let events = intake.events
    let watching = Task { [weak self] in for await event in events { self?.note(event) } }
    self.watching.withLock { $0 = watching }
    try await intake.begin()
  }

  /// The reason why photos are refused at present, as a sentence; nil if they are accepted.
  var refusal: String? {
    board.withLock { $0.limitedUntil }.map { _ in "the backend takes no scans for now; wait for the countdown"
    }
  }

  /// The end of the backend's limit, in seconds since 1970; nil without a limit.
  var limitedUntil: Double? { board.withLock { $0.limitedUntil }?.timeIntervalSince1970 }
  var isOffline: Bool { board.withLock { $0.isOffline } }

  /// Queues a photo.
  /// - Returns: whether it was queued, was known already, or was refused.
  func accept(_ photo: [UInt8]) async -> PhotoAcceptance {
    do {
      return try await intake.accept(photo) == nil ? .knownAlready : .queued
    } catch { return .refused("\(error)") }
  }

  /// Ends deliveries. Queued photos stay queued, and are reported.
  func end() async {
    await intake.end()
    await watching.withLock { $0.take() }?.value
    guard let counts = try? await intake.counts(), counts.pending + counts.uploaded > 0 else { return }
    Terminal.tell(
      "\(counts.pending + counts.uploaded) photos are queued still; `swiftwing scan --drain\(LibraryPlace.option(library))` reads them"
    )
  }

  private func note(_ event: ScanEvent) {
    let tell = board.withLock { board -> (@Sendable () -> Void)? in
      switch event {
      case .limited(let until): board.limitedUntil = until
      case .unlimited: board.limitedUntil = nil
      case .unreachable: board.isOffline = true
      case .reached: board.isOffline = false
      case .accepted, .delivered, .failed, .postponed: break
      case .session, .sameAs, .refused, .began, .sized, .progress, .fellBack, .found, .storageTrouble,
        .libraryGone, .photograph:
        return nil
      }
      return board.tell
    }
    switch event {
    case .failed(_, let reason): Terminal.tell("a photo was not read, and is given up: \(reason)")
    case .libraryGone(let reason): Terminal.tell("the library is gone: \(reason)")
    case .storageTrouble(let reason): Terminal.tell("the library cannot be written: \(reason)")
    case .session, .accepted, .sameAs, .refused, .began, .sized, .progress, .fellBack, .found, .delivered,
      .postponed, .limited, .unlimited, .unreachable, .reached, .photograph:
      break
    }
    tell?()
  }
}
