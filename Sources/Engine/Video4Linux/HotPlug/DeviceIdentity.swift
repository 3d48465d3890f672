/// What sysfs says of a video node: what it is, and where. Cameras of one batch may be the same in everything but where they are.
public struct DeviceIdentity: Hashable, Sendable {
  /// USB vendor and product, such as "046d:0825"; empty for a device that is not on USB.
  public let model: String
  /// The USB device's serial number; nil when it has none.
  public let serial: String?
  /// Which of the device's nodes: its USB interface, where it has one, and its number among the interface's nodes.
  public let part: String
  /// The sysfs path of the node's parent device: the port.
  public let port: String
  /// What the driver calls the node, empty where that is not known: it tells those of vivid apart, which share one port.
  public let name: String

  /// The same device as far as anybody can tell, in whichever port.
  public func isEqual(to other: DeviceIdentity) -> Bool {
    model == other.model && serial == other.serial && part == other.part
  }

  /// An equal device in the same port.
  public func isInPlace(of other: DeviceIdentity) -> Bool {
    isEqual(to: other) && port == other.port && name == other.name
  }

  /// Another device that nothing but its place tells from this one.
  public func isTwin(of other: DeviceIdentity) -> Bool {
    !model.isEmpty && isEqual(to: other) && port != other.port
  }
}
