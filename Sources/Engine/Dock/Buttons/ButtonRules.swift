/// The meanings of a dock's keys and wheels. The codes are those of `linux/input-event-codes.h`.
struct ButtonRules: Hashable, Sendable {
  /// The time in seconds within which two presses of a shutter count as one, because keys bounce. Volume keys, which selfie sticks send, repeat while
  /// they are held.
  static func pause(after key: UInt16) -> Double { volumes.contains(key) ? 1 : 0.2 }
  /// `KEY_CAMERA`, and `BTN_0`, the first button of a device without named buttons.
  private static let cameras: Set<UInt16> = [0xD4, 0x100]
  /// `KEY_VOLUMEDOWN` and `KEY_VOLUMEUP`.
  private static let volumes: Set<UInt16> = [0x72, 0x73]
  /// `KEY_RECORD` and `KEY_PLAYPAUSE`.
  private static let records: Set<UInt16> = [0xA7, 0xA4]
  /// `KEY_ZOOMIN` and `KEY_CAMERA_ZOOMIN`.
  private static let zoomsIn: Set<UInt16> = [0x1A2, 0x215]
  /// `KEY_ZOOMOUT` and `KEY_CAMERA_ZOOMOUT`.
  private static let zoomsOut: Set<UInt16> = [0x1A3, 0x216]
  /// `KEY_ZOOMRESET`.
  private static let zoomsBack: Set<UInt16> = [0x1A4]
  /// Keys that switch the camera. The kernel has no code for that, so these are the
  /// keys for a next item, `KEY_NEXTSONG` and `KEY_NEXT`, and `BTN_1`.
  private static let flips: Set<UInt16> = [0xA3, 0x197, 0x101]
  /// `REL_DIAL` and `REL_WHEEL`.
  static let wheels: Set<UInt16> = [0x07, 0x08]

  /// All keys that have a meaning.
  static let keys = cameras.union(volumes).union(records).union(zoomsIn).union(zoomsOut).union(zoomsBack)
    .union(flips)

  /// The change of the zoom by a notch of a wheel and by a key, and the largest change by one event.
  private static let (notch, step, most) = (0.1, 0.5, 10.0)

  private var lastShutter = -Double.infinity

  /// The meaning of an event; nil for none.
  mutating func meaning(of event: InputEvent) -> DockEvent? {
    switch event.type {
    // 1 is a press; 0 is a release, 2 a repeat.
    case InputEvent.key where event.value == 1: return press(event.code, at: event.time)
    case InputEvent.relative where Self.wheels.contains(event.code) && event.value != 0:
      return .zoom(min(max(Double(event.value) * Self.notch, -Self.most), Self.most))
    default: return nil
    }
  }

  private mutating func press(_ code: UInt16, at time: Double) -> DockEvent? {
    let takesPhoto = Self.cameras.contains(code)
    if takesPhoto || Self.records.contains(code) || Self.volumes.contains(code) {
      // Accept a press from before the last one: a clock that was set back must not block the shutter.
      guard time - lastShutter >= Self.pause(after: code) || time < lastShutter else { return nil }
      lastShutter = time
      return takesPhoto ? .photo : .shutter
    }
    if Self.zoomsIn.contains(code) { return .zoom(Self.step) }
    if Self.zoomsOut.contains(code) { return .zoom(-Self.step) }
    // A change larger than any zoom: the result is clamped to the camera's range.
    if Self.zoomsBack.contains(code) { return .zoom(-.greatestFiniteMagnitude) }
    return Self.flips.contains(code) ? .flip : nil
  }
}
