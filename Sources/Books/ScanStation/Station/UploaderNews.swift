import Capture
import FoundationEssentials
import Imagery
import Library
import System
import Uploads

/// Turns the events of a station's uploader into events of the station, and forgets the data of scans that have left the queue.
final class UploaderNews: Sendable {
  private let store: Store
  private let recognition: Recognition
  private let journal: ScanJournal
  private let isGone = Locked(false)

  init(store: Store, recognition: Recognition, journal: ScanJournal) {
    self.store = store
    self.recognition = recognition
    self.journal = journal
  }

  /// - Parameter now: the time by the clock of the shutter's presses.
  func tell(_ event: UploaderEvent, at now: MonotonicTime?) {
    switch event {
    case .uploading, .uploaded, .cleanedUp: break
    case .progress(let key, let progress): journal.note(.progress(key, progress))
    case .delivered(let key, let books):
      recognition.forget(scan: key)
      let known = journal.close(key)
      let time = known.pressed.flatMap { pressed in now.map { $0 - pressed } }
      journal.note(.delivered(key, books, by: known.way, time: time))
    case .postponed(let key, let until, let reason):
      journal.note(.postponed(key, until: until, reason: reason))
    case .failed(let key, let reason):
      forget(key)
      journal.note(.failed(key, reason: reason))
    case .dropped(let key): forget(key)
    case .limited(let until): journal.note(.limited(until: until))
    case .unlimited: journal.note(.unlimited)
    // `Recognition` reports these, because it knows whether the backend or this machine has answered.
    case .offline, .online: break
    case .storageTrouble(let reason): tell(trouble: reason)
    }
  }

  /// Forgets a scan that has left the queue.
  func forget(_ key: UUID) {
    recognition.forget(scan: key)
    _ = journal.close(key)
  }

  /// Reports an error of the store, but only if it means that the library is gone.
  func tell(_ error: DeliveryError) { if !store.isInPlace { tell(trouble: error.description) } }

  /// Reports trouble with the store; that the library is gone is reported once, since it does not come back.
  private func tell(trouble reason: String) {
    if store.isInPlace { return journal.note(.storageTrouble(reason: reason)) }
    let isNews = isGone.withLock { isGone in
      defer { isGone = true }
      return !isGone
    }
    if isNews { journal.note(.libraryGone(reason: reason)) }
  }
}
