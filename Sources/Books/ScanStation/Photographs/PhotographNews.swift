public import FoundationEssentials

/// What becomes of the photographs that a ``PhotographStation`` reads. This enumeration is closed.
public enum PhotographNews: Sendable, Equatable {
  /// It is in the queue under this key, and will not be lost.
  case queued(Photograph, UUID)
  /// It is in the library already, since the time given: a file with the same content was read, whatever its name.
  case known(Photograph, UUID, since: Date)
  /// Its content is that of another file of this run.
  case copy(Photograph, of: String)
  /// It cannot be read, and why. Nothing of it is kept; the file is tried again in the next run.
  case unread(Photograph, reason: String)
  /// The folder that was named is no longer there; so many photographs of it were not read.
  case folderGone(String, left: Int)
  /// One more is done with.
  case progress(PhotographProgress)
}

/// How far a run is.
public struct PhotographProgress: Sendable, Equatable {
  /// Photographs that are done with: read, known, copies or unread.
  public var done: Int
  /// Of so many.
  public var total: Int
  /// By what the photographs so far have cost; nil while that is not known.
  public var secondsLeft: Double?
}

/// What a run over photographs came to.
public struct PhotographSummary: Sendable, Equatable {
  /// Photographs whose books are in the library now and were not before, or were read once more.
  public var read = 0
  /// In the library already.
  public var known = 0
  /// Files with the content of another one of this run.
  public var copies = 0
  /// That could not be read.
  public var failed = 0
  /// Spines that no earlier photo showed.
  public var new = 0
  /// Spines that an earlier photo showed.
  public var again = 0

  /// Nothing yet.
  public init() {}
}

/// Adds up what a station tells: what was found counts when it is in the library.
public struct PhotographTally: Sendable, Equatable {
  /// So far.
  public private(set) var summary = PhotographSummary()
  private var open: [UUID: [FoundSpine]] = [:]

  /// Nothing yet.
  public init() {}

  /// Takes note of an event; those of no interest change nothing.
  public mutating func note(_ event: ScanEvent) {
    switch event {
    case .found(let key, let spines): open[key] = spines
    case .delivered(let key, _, _, _): close(key)
    case .failed(let key, _):
      open[key] = nil
      summary.failed += 1
    case .photograph(let news): note(news)
    default: break
    }
  }

  private mutating func close(_ key: UUID) {
    summary.read += 1
    for spine in open.removeValue(forKey: key) ?? [] {
      if spine.isNew { summary.new += 1 } else { summary.again += 1 }
    }
  }

  private mutating func note(_ news: PhotographNews) {
    switch news {
    case .known: summary.known += 1
    case .copy: summary.copies += 1
    case .unread: summary.failed += 1
    case .folderGone(_, let left): summary.failed += left
    case .queued, .progress: break
    }
  }
}
