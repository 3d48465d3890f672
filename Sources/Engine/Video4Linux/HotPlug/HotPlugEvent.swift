/// The arrival or the removal of a video node.
public struct HotPlugEvent: Hashable, Sendable {
  /// The type of event.
  public enum Action: String, Sendable {
    /// The node was added.
    case add
    /// The node was removed.
    case remove
  }

  /// The type of event.
  public let action: Action
  /// The path of the node, for example "/dev/video0". After `add` its permissions may still be changing for some milliseconds.
  public let path: String
  /// The path of the device in sysfs, for example "/sys/devices/pci0000:00/…/video4linux/video0".
  public let sysfsPath: String

  /// The longest datagram the kernel sends (`UEVENT_BUFFER_SIZE` and its header).
  static let longestMessage = 8192

  /// Parses a kernel uevent: `add@/devices/…`, NUL, then `KEY=value` fields each ended by NUL
  /// (Linux `lib/kobject_uevent.c`). Nil for anything but a video4linux node `videoN` that was added or removed,
  /// and for anything malformed.
  public init?(message: some BidirectionalCollection<UInt8>) {
    guard message.count <= HotPlugEvent.longestMessage, message.last == 0 else { return nil }
    let parts = message.split(separator: 0, maxSplits: 128)
    guard let header = parts.first.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
    var fields: [String: String] = [:]
    for part in parts.dropFirst() {
      guard let text = String(validating: part, as: UTF8.self), let sign = text.firstIndex(of: "=")
      else { return nil }
      fields[String(text[..<sign])] = String(text[text.index(after: sign)...])
    }
    guard fields["SUBSYSTEM"] == "video4linux", let action = fields["ACTION"].flatMap(Action.init),
      let devicePath = fields["DEVPATH"], header == "\(action.rawValue)@\(devicePath)",
      devicePath.hasPrefix("/devices/"), !devicePath.split(separator: "/").contains(".."),
      let node = fields["DEVNAME"], DeviceDirectory.nodeNumber(node) != nil,
      devicePath.hasSuffix("/\(node)")
    else { return nil }
    self.action = action
    path = "/dev/\(node)"
    sysfsPath = "/sys\(devicePath)"
  }
}
