/// A name of a camera that stays the same when the number of `/dev/videoN` changes.
public enum StableName: Hashable, Sendable, CustomStringConvertible {
  /// A link that udev maintains, below /dev/v4l/by-id or /dev/v4l/by-path.
  case link(String)
  /// The camera itself, in any port: USB vendor, product and serial number, and the number of its node.
  case serial(vendor: String, product: String, serial: String, node: Int)
  /// Any device in this port: the sysfs path of the node's parent device, and the number of its node.
  case port(String, node: Int)

  /// The form used in settings: `/dev/v4l/…`, `usb:…` or `port:…`.
  public var description: String {
    switch self {
    case .link(let path): path
    case .serial(let vendor, let product, let serial, let node): "usb:\(vendor):\(product):\(serial):\(node)"
    case .port(let path, let node): "port:\(path):\(node)"
    }
  }
}
