package import Harness

/// The device's own starts, each taken when it is its turn.
package struct DeviceTurns: Sendable {
  /// Of the starts so far, milliseconds; of a source whose time is known, that one.
  package private(set) var samples: [Double] = []
  /// Why there are none, as a clause.
  private var lack: String?
  /// Nil where nothing is to be started.
  private var start: (@Sendable () throws -> Double)?

  init(start: @escaping @Sendable () throws -> Double) { self.start = start }
  init(known: Double) { samples = [known] }
  init(lack: String) { self.lack = lack }

  /// One start; nothing where it is known what they take.
  package mutating func take() throws {
    if let start { samples.append(try start()) }
  }

  /// The last start did not count, because what it was to be held against did not come about.
  package mutating func dropLast() {
    if start != nil { samples.removeLast() }
  }

  /// Their metric; where there is none it says why.
  package func measurement(id: String, level: EvidenceLevel) -> Measurement {
    Measurement(
      id: id, title: DeviceStart.title, unit: .milliseconds, level: level, samples: samples, lack: lack)
  }
}
