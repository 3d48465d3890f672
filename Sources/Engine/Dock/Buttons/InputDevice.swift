import Glibc

/// The properties of an input device of the kernel, by the ioctls of `linux/input.h`.
enum InputDevice {
  /// The number of bytes with a bit for each key: `KEY_MAX` is 0x2FF.
  private static let length = 96

  /// The reason why no key of the device can be used, as the end of a sentence; nil if it has keys that ``ButtonRules`` knows.
  static func refusal(of descriptor: Int32) -> String? {
    guard let keys = codes(of: InputEvent.key, at: descriptor),
      let wheels = codes(of: InputEvent.relative, at: descriptor)
    else { return "it is not an input device; `ls /dev/input/by-id` lists them" }
    return refusal(keys: keys, wheels: wheels)
  }

  /// The reason why no key of a device with these keys and wheels can be used; nil if it has keys that ``ButtonRules`` knows.
  static func refusal(keys: Set<UInt16>, wheels: Set<UInt16>) -> String? {
    keys.isDisjoint(with: ButtonRules.keys) && wheels.isDisjoint(with: ButtonRules.wheels)
      ? "it has none of the keys that take a photo, record, zoom or change the camera; name another device"
      : nil
  }

  /// The codes of one type that the device can send (`EVIOCGBIT`); nil if it is no input device.
  private static func codes(of type: UInt16, at descriptor: Int32) -> Set<UInt16>? {
    // _IOC(_IOC_READ, 'E', 0x20 + type, length) of asm-generic/ioctl.h.
    let request = 2 << 30 | UInt(length) << 16 | 0x45 << 8 | (0x20 + UInt(type))
    var bits = [UInt8](repeating: 0, count: length)
    guard ioctl(descriptor, request, &bits) >= 0 else { return nil }
    return Set((0..<UInt16(length * 8)).filter { bits[Int($0) / 8] & 1 << ($0 % 8) != 0 })
  }
}
