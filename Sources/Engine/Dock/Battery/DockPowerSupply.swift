import System

/// The battery of a dock, if the kernel reports a power supply of the camera's USB device (`Documentation/ABI/testing/sysfs-class-power`).
public struct DockPowerSupply: Sendable {
  private let supplies: String
  private let camera: String

  /// - Parameters:
  ///   - node: the path of the camera, such as `/dev/video0`.
  ///   - system: the root of sysfs.
  public init(node: String, system: String = "/sys") {
    let name = node.realPath?.split(separator: "/").last.map(String.init) ?? ""
    supplies = system + "/class/power_supply"
    camera = system + "/class/video4linux/" + name + "/device"
  }

  /// Reads the present state of the battery.
  public func battery() -> DockBattery {
    // The interface of a USB camera is a folder inside its device's folder.
    guard let interface = camera.realPath, let slash = interface.lastIndex(of: "/") else {
      return .unsupported("the kernel does not say where the camera is connected")
    }
    let device = interface[..<slash] + "/"
    let names = (try? FolderNames.read(supplies, limit: 64) { !$0.hasPrefix(".") }) ?? []
    for name in names.sorted() {
      let folder = supplies + "/" + name
      guard let path = folder.realPath, path.hasPrefix(device),
        let capacity = Self.text(folder + "/capacity").flatMap(Double.init)
      else { continue }
      return .level(min(max(capacity / 100, 0), 1), isCharging: Self.text(folder + "/status") == "Charging")
    }
    return .unsupported("the camera has no battery that the kernel knows of")
  }

  /// The first line of a small file.
  private static func text(_ path: String) -> String? {
    (try? RegularFile.read(path, atMost: 1 << 16)).map { bytes in
      String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    }
  }
}
