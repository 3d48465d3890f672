/// What the keys and wheels of a dock mean. The codes are those of `linux/input-event-codes.h`.
struct ButtonRules: Hashable, Sendable {
  /// Two presses of a shutter within this are one: keys bounce. Keys for the volume, which selfie sticks send, repeat as long as they are held.
  static func pause(after key: UInt16) -> Double { volumes.contains(key) ? 1 : 0.2 }
  /// The camera key, and the first button of a device that has no names for them.
  private static let cameras: Set<UInt16> = [0xD4, 0x100]
  /// Volume down and up.
  private static let volumes: Set<UInt16> = [0x72, 0x73]
  /// Record and play-pause.
  private static let records: Set<UInt16> = [0xA7, 0xA4]
  private static let (zoomIn, zoomOut, zoomReset): (UInt16, UInt16, UInt16) = (0x208, 0x209, 0x1A4)
  private static let flips: Set<UInt16> = [0x178, 0x101]
  private static let wheels: Set<UInt16> = [0x07, 0x08]
  /// What a notch of a wheel and a key add to the zoom, and the most that one event may.
  private static let (notch, step, most) = (0.1, 0.5, 10.0)

  private var lastShutter = -Double.infinity

  /// What an event says; nil for nothing.
  mutating func meaning(of event: InputEvent) -> DockEvent? {
    switch event.type {
    // 1 is pressed; 0 is let go, 2 is held.
    case InputEvent.key where event.value == 1: return press(event.code, at: event.time)
    case InputEvent.relative where Self.wheels.contains(event.code) && event.value != 0:
      return .zoom(min(max(Double(event.value) * Self.notch, -Self.most), Self.most))
    default: return nil
    }
  }

  private mutating func press(_ code: UInt16, at time: Double) -> DockEvent? {
    let takesPhoto = Self.cameras.contains(code)
    if takesPhoto || Self.records.contains(code) || Self.volumes.contains(code) {
      // A clock that was set back must not block the shutter.
      guard time - lastShutter >= Self.pause(after: code) || time < lastShutter else { return nil }
      lastShutter = time
      return takesPhoto ? .photo : .shutter
    }
    if code == Self.zoomIn { return .zoom(Self.step) }
    if code == Self.zoomOut { return .zoom(-Self.step) }
    return Self.flips.contains(code) ? .flip : nil
  }
}
