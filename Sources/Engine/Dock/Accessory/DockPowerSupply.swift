import Glibc

/// The battery of a dock, if the kernel reports a power supply of the camera's USB device (`Documentation/ABI/testing/sysfs-class-power`).
public struct DockPowerSupply: Sendable {
  private let supplies: String
  private let camera: String

  /// - Parameters:
  ///   - node: the path of the camera, such as `/dev/video0`.
  ///   - system: the root of sysfs.
  public init(node: String, system: String = "/sys") {
    let name = Self.realPath(node)?.split(separator: "/").last.map(String.init) ?? ""
    supplies = system + "/class/power_supply"
    camera = system + "/class/video4linux/" + name + "/device"
  }

  /// Reads the present state of the battery.
  public func battery() -> DockBattery {
    // The interface of a USB camera is a folder inside its device's folder.
    guard let interface = Self.realPath(camera), let slash = interface.lastIndex(of: "/") else {
      return .unsupported("the kernel does not say where the camera is connected")
    }
    let device = interface[..<slash] + "/"
    for name in Self.names(in: supplies) {
      let folder = supplies + "/" + name
      guard let path = Self.realPath(folder), path.hasPrefix(device),
        let capacity = Self.text(folder + "/capacity").flatMap(Double.init)
      else { continue }
      return .level(min(max(capacity / 100, 0), 1), isCharging: Self.text(folder + "/status") == "Charging")
    }
    return .unsupported("the camera has no battery that the kernel knows of")
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The names in a folder, at most 64, in alphabetical order.
  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < 64, let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The first line of a small file.
  private static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }
}
