import Console
import EngineScenarios
import Foundation
import Glibc
import Library
import Uploads

/// A step that the scanning process reports, as one line of JSON.
enum Step: Equatable, Codable {
  /// A scan is about to be written to the disk. The next step of the scan is `accepted`, or `refused` if it could not be written and was
  /// not acknowledged.
  case accepting(String)
  case accepted(String)
  case refused(String)
  case uploading(String)
  case uploaded(String)
  case found(String)
  case delivered(String)
  case putOff(String)
  case cleanedUp
  /// The store could not be written.
  case trouble

  init?(_ event: UploaderEvent) {
    func name(_ key: UUID) -> String { key.uuidString.lowercased() }
    switch event {
    case .uploading(let key): self = .uploading(name(key))
    case .uploaded(let key): self = .uploaded(name(key))
    case .progress(let key, .found): self = .found(name(key))
    case .delivered(let key, _): self = .delivered(name(key))
    case .postponed(let key, _, _), .failed(let key, _): self = .putOff(name(key))
    case .cleanedUp: self = .cleanedUp
    case .storageTrouble: self = .trouble
    default: return nil
    }
  }

  func say() { try? Terminal.say(line: self) }
}

/// One life of the scanning process, from its start until it was killed, as its output reports it.
struct Life {
  let steps: [Step]
  /// The signal by which the process ended before it was killed; 0 if none did.
  let crash: CInt

  /// Parses the output. A last line that is cut off is ignored.
  /// - Parameter signal: the signal that ended the process; 0 if it ended by itself, as it may on a full disk.
  init(said: Data, signal: CInt = SIGKILL) {
    crash = signal == SIGKILL ? 0 : signal
    let lines = said.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    steps = lines.dropLast().compactMap { try? JSONDecoder().decode(Step.self, from: $0) }
  }

  var accepted: Set<String> {
    Set(steps.compactMap { if case .accepted(let key) = $0 { key } else { nil } })
  }

  func count(_ matches: (Step) -> Bool) -> Int { steps.count(where: matches) }

  /// The operations during which the process was killed. There may be several at once.
  var moments: Set<Moment> {
    var moments: Set<Moment> = []
    var last: [String: Moment?] = [:]
    for step in steps {
      switch step {
      case .accepting: moments.insert(.accept)
      case .accepted, .refused: moments.remove(.accept)
      case .uploading(let key): last[key] = .upload
      case .uploaded(let key): last[key] = .eventStream
      case .found(let key): last[key] = .commit
      case .delivered(let key), .putOff(let key): last[key] = Moment?.none
      case .cleanedUp, .trouble: break
      }
    }
    moments.formUnion(last.values.compactMap(\.self))
    let delivered = count { if case .delivered = $0 { true } else { false } }
    if delivered > count({ $0 == .cleanedUp }) { moments.insert(.cleanup) }
    return steps.isEmpty ? [.start] : moments
  }
}

/// An operation during which a process can be killed.
enum Moment: String, CaseIterable, Codable {
  case start, accept, upload, eventStream, commit, cleanup
}

extension CrashOutcome {
  mutating func note(_ life: Life) {
    kills += 1
    for moment in life.moments { moments[moment.rawValue, default: 0] += 1 }
    refused += life.count { if case .refused = $0 { true } else { false } }
    troubles += life.count { $0 == .trouble }
    if life.crash != 0 { findings.append("a process crashed by itself (signal \(life.crash))") }
  }
}
