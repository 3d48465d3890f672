public import FoundationEssentials

/// Events about the photographs that a ``PhotographStation`` reads. This enumeration is closed.
public enum PhotographNews: Sendable, Equatable {
  /// The photograph is in the queue under this key, and will not be lost.
  case queued(Photograph, UUID)
  /// The library has the photograph already, since this time: a file with the same content was read, whatever its name.
  case known(Photograph, UUID, since: Date)
  /// The photograph has the same content as another file of this run.
  case copy(Photograph, of: String)
  /// The photograph cannot be read, for this reason. Nothing of it is kept; the next run tries the file again.
  case unread(Photograph, reason: String)
  /// The named folder is gone; `left` photographs of it were not read.
  case folderGone(String, left: Int)
  /// One more photograph is done.
  case progress(PhotographProgress)
}

/// The progress of a run.
public struct PhotographProgress: Sendable, Equatable {
  /// The number of photographs that are done: read, known, copies or unread.
  public var done: Int
  /// The number of all photographs.
  public var total: Int
  /// The estimated time left, from the cost of the photographs so far. Nil while unknown.
  public var secondsLeft: Double?
}

/// The result of a run over photographs.
public struct PhotographSummary: Sendable, Equatable {
  /// Photographs whose books were added to the library, or that were read again.
  public var read = 0
  /// Photographs that the library had already.
  public var known = 0
  /// Files with the content of another file of this run.
  public var copies = 0
  /// Photographs that could not be read.
  public var failed = 0
  /// Spines that no earlier photo showed.
  public var new = 0
  /// Spines that an earlier photo showed.
  public var again = 0

  /// Creates an empty summary.
  public init() {}
}

/// Sums up the events of a station. Spines count once their scan is in the library.
public struct PhotographTally: Sendable, Equatable {
  /// The sums so far.
  public private(set) var summary = PhotographSummary()
  private var open: [UUID: [FoundSpine]] = [:]

  /// Creates an empty tally.
  public init() {}

  /// Counts an event. Irrelevant events are ignored.
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
