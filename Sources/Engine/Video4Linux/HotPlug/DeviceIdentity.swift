/// The identity of a video node, from sysfs: its device and its place. Cameras of one batch may differ in their place only.
public struct DeviceIdentity: Hashable, Sendable {
  /// USB vendor and product, such as "046d:0825"; empty for a device that is not on USB.
  public let model: String
  /// The USB device's serial number; nil if it has none.
  public let serial: String?
  /// The node among the device's nodes: its USB interface, if it has one, and its number among the interface's nodes.
  public let part: String
  /// The sysfs path of the node's parent device: the port.
  public let port: String
  /// The driver's name of the node; empty if unknown. It tells vivid's nodes apart, which share one port.
  public let name: String

  /// Whether both identities have the same model, serial number and part, in any port.
  public func isEqual(to other: DeviceIdentity) -> Bool {
    model == other.model && serial == other.serial && part == other.part
  }

  /// Whether both identities have the same model, serial number, part, name and port.
  public func isInPlace(of other: DeviceIdentity) -> Bool {
    isEqual(to: other) && port == other.port && name == other.name
  }

  /// Whether `other` is on USB and has the same model, serial number and part, but another port.
  public func isTwin(of other: DeviceIdentity) -> Bool {
    !model.isEmpty && isEqual(to: other) && port != other.port
  }
}
