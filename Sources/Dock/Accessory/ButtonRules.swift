/// What the keys and wheels of a dock mean. The codes are those of `linux/input-event-codes.h`.
struct ButtonRules: Hashable, Sendable {
  /// Two presses of the shutter within this are one: keys bounce.
  static let between = 0.2
  /// Camera, record, play-pause and volume up, which selfie sticks send.
  private static let shutters: Set<UInt16> = [0xD4, 0xA7, 0xA4, 0x73, 0x100]
  private static let (zoomIn, zoomOut, zoomReset): (UInt16, UInt16, UInt16) = (0x208, 0x209, 0x1A4)
  private static let flips: Set<UInt16> = [0x178, 0x101]
  private static let wheels: Set<UInt16> = [0x07, 0x08]
  private static let most = 10.0

  private var lastShutter = -Double.infinity

  /// What an event says; nil for nothing.
  mutating func meaning(of event: InputEvent) -> DockEvent? {
    switch event.type {
    // 1 is pressed; 0 is let go, 2 is held.
    case InputEvent.key where event.value == 1: return press(event.code, at: event.time)
    case InputEvent.relative where Self.wheels.contains(event.code) && event.value != 0:
      return .zoom(min(max(Double(event.value), -Self.most), Self.most))
    default: return nil
    }
  }

  private mutating func press(_ code: UInt16, at time: Double) -> DockEvent? {
    if Self.shutters.contains(code) {
      // A clock that was set back must not block the shutter.
      guard time - lastShutter >= Self.between || time < lastShutter else { return nil }
      lastShutter = time
      return .shutter
    }
    if code == Self.zoomIn { return .zoom(1) }
    if code == Self.zoomOut { return .zoom(-1) }
    return Self.flips.contains(code) ? .flip : nil
  }
}
