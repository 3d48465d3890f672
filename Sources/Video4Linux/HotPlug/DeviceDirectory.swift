/// A video node of this machine, without opening it.
public struct DeviceEntry: Hashable, Sendable {
  /// For example "/dev/video0".
  public let path: String
  /// The name the driver gave it.
  public let name: String
  /// Names to find it again by, the most lasting first: serial number, links of udev, port.
  public let stableNames: [StableName]
}

/// The video devices of this machine, from /dev and sysfs.
public struct DeviceDirectory: Sendable {
  private let kernel: any Kernel
  /// No machine has more nodes: the kernel's own limit is 256.
  private static let mostNodes = 256

  public init(kernel: any Kernel = LinuxKernel()) { self.kernel = kernel }

  /// The nodes `/dev/videoN` in the order of their numbers; those of codecs and metadata too.
  /// - Throws: `.permissionDenied` or `.system` when /dev cannot be read.
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

  /// Where a camera is now; nil when it is not plugged in.
  public func find(_ name: StableName) throws(VideoDeviceError) -> DeviceEntry? {
    try list().first { $0.stableNames.contains(name) }
  }

  /// The node that `path` is, or that the link `path` leads to; nil when it is not there or is no `/dev/videoN`.
  public func entry(at path: String) -> DeviceEntry? {
    guard let node = try? kernel.resolve(path), node.hasPrefix("/dev/"),
      case let name = String(node.dropFirst(5)), DeviceDirectory.nodeNumber(name) != nil
    else { return nil }
    return entry(node: name, links: links())
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
    let parent = try? kernel.resolve("\(folder)/device")
    var names: [StableName] = []
    if let parent, let serial = serial(above: parent, node: index) { names.append(serial) }
    names += (links[path] ?? []).map { .link($0) }
    if let parent { names.append(.port(parent, node: index)) }
    return DeviceEntry(path: path, name: attribute("\(folder)/name") ?? node, stableNames: names)
  }

  /// The USB device a node belongs to is the nearest ancestor with a vendor, a product and a serial number.
  private func serial(above parent: String, node: Int) -> StableName? {
    var folder = parent[...]
    for _ in 0..<8 {
      guard folder.hasPrefix("/sys/devices/") else { return nil }
      if let vendor = attribute("\(folder)/idVendor"), let product = attribute("\(folder)/idProduct") {
        // Without a serial number there is nothing to tell two of a kind apart.
        guard let serial = attribute("\(folder)/serial"), !serial.isEmpty else { return nil }
        return .serial(vendor: vendor, product: product, serial: serial, node: node)
      }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
    }
    return nil
  }

  /// What the links of udev point to, by node.
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

  /// The text of a sysfs attribute, made printable; nil when it is not there.
  private func attribute(_ path: String) -> String? {
    guard let bytes = try? kernel.contents(of: path, limit: 256) else { return nil }
    return String(deviceBytes: bytes.prefix { $0 != 0x0A && $0 != 0 })
  }
}
