package import Harness

/// Starts of the device itself, made one by one.
package struct DeviceTurns: Sendable {
  /// Milliseconds of the starts so far. For a source whose time is known, that time only.
  package private(set) var samples: [Double] = []
  /// Why there are no samples, as a clause. Nil unless the time cannot be measured.
  private var lack: String?
  /// A function that starts the device and returns the milliseconds to its first frame. Nil if the time is known or cannot be measured.
  private var start: (@Sendable () throws -> Double)?

  init(start: @escaping @Sendable () throws -> Double) { self.start = start }
  init(known: Double) { samples = [known] }
  init(lack: String) { self.lack = lack }

  /// Starts the device once, and adds the time to `samples`. Does nothing if the time is known or cannot be measured.
  package mutating func take() throws {
    if let start { samples.append(try start()) }
  }

  /// Discards the last start, because the measurement that it was made for failed.
  package mutating func dropLast() {
    if start != nil { samples.removeLast() }
  }

  /// Returns the times as a metric. If there are none, the metric states the reason.
  package func measurement(id: String, level: EvidenceLevel) -> Measurement {
    Measurement(
      id: id, title: DeviceStart.title, unit: .milliseconds, level: level, samples: samples, lack: lack)
  }
}
