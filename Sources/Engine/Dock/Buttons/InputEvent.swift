/// An event of a Linux input device: `struct input_event` of `linux/input.h` on a machine with 64-bit time.
struct InputEvent: Hashable, Sendable {
  /// The number of bytes of an event.
  static let size = 24
  /// The types of keys (`EV_KEY`), and of dials and wheels (`EV_REL`).
  static let (key, relative): (UInt16, UInt16) = (1, 2)

  /// The time in seconds, by the device's clock.
  var time: Double
  var type: UInt16
  var code: UInt16
  var value: Int32

  /// The whole events in some bytes; an incomplete one at the end is left out.
  static func events(in bytes: some Collection<UInt8>) -> [InputEvent] {
    let bytes = Array(bytes)
    return stride(from: 0, through: bytes.count - size, by: size).map { start in
      bytes.withUnsafeBytes { raw in
        let seconds = raw.loadUnaligned(fromByteOffset: start, as: Int64.self)
        let microseconds = raw.loadUnaligned(fromByteOffset: start + 8, as: Int64.self)
        return InputEvent(
          time: Double(seconds) + Double(microseconds) / 1e6,
          type: raw.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self),
          code: raw.loadUnaligned(fromByteOffset: start + 18, as: UInt16.self),
          value: raw.loadUnaligned(fromByteOffset: start + 20, as: Int32.self))
      }
    }
  }
}
