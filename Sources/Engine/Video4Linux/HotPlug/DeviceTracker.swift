/// Finds one camera again although its node number has changed, and never mistakes another camera for it.
///
/// The place decides: the same device in the same port is the camera. In another port it is found by its serial number, unless
/// a camera with the same model and serial number was seen beside it: then the two cannot be told apart. Without a serial number,
/// it is found in another port only if the user's name leads to it. If the user named a port, it is never looked for elsewhere.
public struct DeviceTracker: Sendable {
  /// The identity and the last known place of the camera.
  public private(set) var identity: DeviceIdentity
  /// Whether a camera with the same model and serial number was seen in another port. It stays true: both may be moved at once, with their hub.
  public private(set) var hasTwins = false
  private let directory: DeviceDirectory
  /// The camera as the user wrote it: a node, or a name that leads to one.
  private let name: String
  private var node: String

  /// Notes the identity of the camera at `node`, and whether a camera with the same model and serial number is in another port.
  /// - Parameter name: the camera as the user wrote it. A path below `/dev/v4l/by-path` names a port: the camera is looked for in this port only.
  /// - Returns: nil if sysfs does not report the identity.
  public init?(node: String, name: String, directory: DeviceDirectory) {
    guard let identity = directory.entry(at: node)?.identity else { return nil }
    self.identity = identity
    self.directory = directory
    self.name = name
    self.node = node
    noteTwins()
  }

  /// Looks for cameras with the same model and serial number. Call it while the camera is connected, the last time just before closing it.
  public mutating func noteTwins() {
    guard !hasTwins, let entries = try? directory.list() else { return }
    hasTwins = entries.contains { $0.identity?.isTwin(of: identity) == true }
  }

  /// The present node of the camera; nil if the camera is not connected, or cannot be told from others. If the devices cannot be
  /// listed, the last known node.
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
    // Without a serial number, only a name from the user identifies it.
    return identity.serial != nil || isNamed(only) ? only : nil
  }

  private func isNamed(_ entry: DeviceEntry) -> Bool {
    name != entry.path && directory.entry(at: name)?.path == entry.path
  }
}
