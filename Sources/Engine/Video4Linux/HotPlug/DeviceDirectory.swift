/// A video node of this machine, described without opening it.
public struct DeviceEntry: Hashable, Sendable {
  /// The path, for example "/dev/video0".
  public let path: String
  /// The name from the driver.
  public let name: String
  /// Names for finding the node again, the most stable first: serial number, udev links, port.
  public let stableNames: [StableName]
  /// The identity and the place of the device; nil if sysfs does not report them.
  public let identity: DeviceIdentity?
}

/// The video devices of this machine, from /dev and sysfs.
public struct DeviceDirectory: Sendable {
  private let kernel: any Kernel
  /// The largest number of nodes to list: the kernel's own limit is 256.
  private static let mostNodes = 256

  /// - Parameter kernel: the real kernel, except in tests.
  public init(kernel: any Kernel = LinuxKernel()) { self.kernel = kernel }

  /// The nodes `/dev/videoN` in the order of their numbers, including those of codecs and metadata.
  /// - Throws: `.permissionDenied` or `.system` if /dev cannot be read.
  public func list() throws(VideoDeviceError) -> [DeviceEntry] {
    let names: [String]
    do throws(Errno) {
      names = try kernel.names(in: "/dev", limit: 65_536)
    } catch {
      throw VideoDeviceError(error, .readDirectory, path: "/dev")
    }
    let numbers = names.compactMap(DeviceDirectory.nodeNumber).sorted().prefix(DeviceDirectory.mostNodes)
    let links = links()
    return numbers.map { entry(node: "video\($0)", links: links) }
  }

  /// The present entry of a camera; nil if it is not connected, or if several cameras have this name, as cameras of one batch may.
  public func find(_ name: StableName) throws(VideoDeviceError) -> DeviceEntry? {
    let found = try list().filter { $0.stableNames.contains(name) }
    return found.count == 1 ? found.first : nil
  }

  /// The entry of the node `path`, or of the node that the link `path` leads to; nil if it does not exist or is no `/dev/videoN`.
  public func entry(at path: String) -> DeviceEntry? {
    guard let node = try? kernel.resolve(path), node.hasPrefix("/dev/"),
      case let name = String(node.dropFirst(5)), DeviceDirectory.nodeNumber(name) != nil
    else { return nil }
    return entry(node: name, links: links())
  }

  /// Whether `path` is a node, "/dev/videoN", and not a link to one.
  public static func isNode(_ path: String) -> Bool {
    path.hasPrefix("/dev/") && nodeNumber(String(path.dropFirst(5))) != nil
  }

  /// The number of a node "videoN"; nil for any other name.
  static func nodeNumber(_ name: String) -> Int? {
    guard name.hasPrefix("video") else { return nil }
    let digits = name.utf8.dropFirst(5)
    guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(name.dropFirst(5))
  }

  private func entry(node: String, links: [String: [String]]) -> DeviceEntry {
    let path = "/dev/\(node)"
    let folder = "/sys/class/video4linux/\(node)"
    let index = attribute("\(folder)/index").flatMap { Int($0) } ?? 0
    let name = attribute("\(folder)/name")
    let links = (links[path] ?? []).map { StableName.link($0) }
    guard let parent = try? kernel.resolve("\(folder)/device") else {
      return DeviceEntry(path: path, name: name ?? node, stableNames: links, identity: nil)
    }
    let usb = usbDevice(above: parent)
    let serial = usb.flatMap { usb in
      usb.serial.map {
        StableName.serial(vendor: usb.vendor, product: usb.product, serial: $0, node: index)
      }
    }
    return DeviceEntry(
      path: path, name: name ?? node,
      stableNames: [serial].compactMap { $0 } + links + [.port(parent, node: index)],
      identity: DeviceIdentity(
        model: usb.map { "\($0.vendor):\($0.product)" } ?? "", serial: usb?.serial,
        part: usb == nil ? "\(index)" : "\(DeviceDirectory.interface(of: parent)):\(index)", port: parent,
        name: name ?? ""))
  }

  /// The interface of a parent: for "…/1-1/1-1:1.0" it is "1.0". One camera may have two, for colour and for infrared.
  private static func interface(of parent: String) -> Substring {
    let last = parent.split(separator: "/").last ?? ""
    return last.lastIndex(of: ":").map { last[last.index(after: $0)...] } ?? ""
  }

  /// The USB device of a node: the nearest ancestor with a vendor and a product. Without a serial number, only
  /// the port tells two devices of the same model apart.
  private func usbDevice(above parent: String) -> (vendor: String, product: String, serial: String?)? {
    var folder = parent[...]
    for _ in 0..<8 {
      guard folder.hasPrefix("/sys/devices/") else { return nil }
      if let vendor = attribute("\(folder)/idVendor"), let product = attribute("\(folder)/idProduct") {
        let serial = attribute("\(folder)/serial")
        return (vendor, product, serial?.isEmpty == true ? nil : serial)
      }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
    }
    return nil
  }

  /// The maker of the node's USB device, as the device reports it; nil if it does not. Fast: no other node is read.
  /// - Parameter path: the path of the node, or of a link to it.
  public func maker(of path: String) -> String? {
    let node = DeviceDirectory.isNode(path) ? path : (try? kernel.resolve(path)) ?? path
    guard DeviceDirectory.isNode(node),
      let parent = try? kernel.resolve("/sys/class/video4linux/\(node.dropFirst(5))/device")
    else { return nil }
    var folder = parent[...]
    for _ in 0..<8 {
      guard folder.hasPrefix("/sys/devices/"), let slash = folder.lastIndex(of: "/") else { return nil }
      if attribute("\(folder)/idVendor") != nil {
        return attribute("\(folder)/manufacturer").flatMap { $0.isEmpty ? nil : $0 }
      }
      folder = folder[..<slash]
    }
    return nil
  }

  /// The udev links of each node.
  private func links() -> [String: [String]] {
    var links: [String: [String]] = [:]
    for folder in ["/dev/v4l/by-id", "/dev/v4l/by-path"] {
      let names = (try? kernel.names(in: folder, limit: 1024)) ?? []
      for name in names.sorted() {
        guard let target = try? kernel.resolve("\(folder)/\(name)") else { continue }
        links[target, default: []].append("\(folder)/\(name)")
      }
    }
    return links
  }

  /// The text of a sysfs attribute, made printable; nil if it does not exist.
  private func attribute(_ path: String) -> String? {
    guard let bytes = try? kernel.contents(of: path, limit: 256) else { return nil }
    return Array(bytes.prefix { $0 != 0x0A && $0 != 0 }).withUnsafeBytes(String.init(deviceBytes:))
  }
}
