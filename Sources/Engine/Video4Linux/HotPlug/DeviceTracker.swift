/// Finds one camera again whatever its number is now, and never takes another for it.
///
/// Its place decides: the same device in the same port is the camera. In another port it is found by its serial number, unless
/// an equal camera was seen beside it: then nobody can tell which of the two has been moved. Without a serial number, and when
/// the user named a port, it is found in its own port only.
public struct DeviceTracker: Sendable {
  /// What it is, and where it was seen last.
  public private(set) var identity: DeviceIdentity
  /// An equal camera has been seen while this one was there. It is not forgotten: both may be moved at once, with their hub.
  public private(set) var hasTwins = false
  private let directory: DeviceDirectory
  /// As the user wrote it: a node, or a name that leads to one.
  private let name: String
  private var node: String

  /// Notes what the camera at `node` is, and whether there are more of it.
  /// - Parameter name: what the user called it by; a name below `/dev/v4l/by-path` is a port.
  /// - Returns: nil when sysfs does not tell.
  public init?(node: String, name: String, directory: DeviceDirectory) {
    guard let identity = directory.entry(at: node)?.identity else { return nil }
    self.identity = identity
    self.directory = directory
    self.name = name
    self.node = node
    noteTwins()
  }

  /// Looks for equal cameras; to be called while the camera is there, the last time just before it is let go.
  public mutating func noteTwins() {
    guard !hasTwins, let entries = try? directory.list() else { return }
    hasTwins = entries.contains { $0.identity?.isTwin(of: identity) == true }
  }

  /// The node it has now; nil when it is not there, or nobody can say which of several it is. Where the devices cannot be
  /// listed, the node it had.
  public mutating func current() -> String? {
    guard let entries = try? directory.list() else { return node }
    let inPlace = entries.filter { $0.identity?.isInPlace(of: identity) == true }
    guard let found = inPlace.first(where: { $0.path == node }) ?? inPlace.first ?? moved(among: entries),
      let place = found.identity
    else { return nil }
    identity = place
    node = found.path
    return node
  }

  private func moved(among entries: [DeviceEntry]) -> DeviceEntry? {
    guard !hasTwins, !name.hasPrefix("/dev/v4l/by-path/") else { return nil }
    let equals = entries.filter { $0.identity?.isTwin(of: identity) == true }
    guard let only = equals.first, equals.count == 1 else { return nil }
    // Without a serial number only a name that the user gave says that it is the one.
    return identity.serial != nil || isNamed(only) ? only : nil
  }

  private func isNamed(_ entry: DeviceEntry) -> Bool {
    name != entry.path && directory.entry(at: name)?.path == entry.path
  }
}
