/// A name that stays with a camera when `/dev/videoN` changes its number.
public enum StableName: Hashable, Sendable, CustomStringConvertible {
  /// A link udev keeps, below /dev/v4l/by-id or /dev/v4l/by-path.
  case link(String)
  /// The camera itself, in whichever port: USB vendor, product and serial number, and which of its nodes.
  case serial(vendor: String, product: String, serial: String, node: Int)
  /// Whatever is in this port: the sysfs path of the node's parent device, and which of its nodes.
  case port(String, node: Int)

  /// As it is written in settings: `/dev/v4l/…`, `usb:…` or `port:…`.
  public var description: String {
    switch self {
    case .link(let path): path
    case .serial(let vendor, let product, let serial, let node): "usb:\(vendor):\(product):\(serial):\(node)"
    case .port(let path, let node): "port:\(path):\(node)"
    }
  }
}
