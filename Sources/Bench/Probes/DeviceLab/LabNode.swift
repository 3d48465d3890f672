import Harness
import Video4Linux

/// A camera of the lab with its properties, by which a scenario finds a suitable one.
package struct LabNode: Sendable {
  /// The name used by `lab-ctl`, such as `vivid0`.
  package let name: String
  package let path: String
  /// Frames per second of the signal at an HDMI input. Nil for a camera, which has no signal to lose.
  package let signalRate: Double?
  /// The output node of the same device, whose pictures come back from the camera. Nil if there is none.
  package let output: String?

  package var isDigital: Bool { signalRate != nil }
  package var isUSB: Bool { name.hasPrefix("uvc") }

  /// Returns the cameras that a scenario may use: the one that the user named, or all of the lab.
  /// - Throws: `Unsupported` outside the lab.
  package static func list(_ lab: DeviceLab, _ rig: Rig) throws -> [LabNode] {
    let devices: [DeviceLab.Device]
    if let specification = rig.specification {
      devices = [try lab.device(at: String(specification.prefix { $0 != "?" }))]
    } else {
      devices = try lab.devices()
    }
    return try devices.compactMap { device in try device.node.map { try LabNode(device.name, $0) } }
  }

  /// Returns the first camera that meets the requirements.
  /// - Throws: `Unsupported` if there is none.
  package static func first(_ lab: DeviceLab, _ rig: Rig, wanted: NodeWish) throws -> LabNode {
    guard let found = try list(lab, rig).first(where: wanted.fits) else {
      throw Unsupported(
        rig.specification.map { "\($0) is no \(wanted.name); name another with --source" }
          ?? "the lab has no \(wanted.name); boot it with one, as lab/README.md describes")
    }
    return found
  }

  private init(_ name: String, _ path: String) throws {
    self.name = name
    self.path = path
    let device = try VideoDevice(path: path)
    signalRate = try device.currentTimings().map { $0.framesPerSecond ?? 30 }
    output = try Self.output(of: device.capabilities.bus)
  }

  /// Returns the output node of the same device. Nil if there is none.
  private static func output(of bus: String) throws -> String? {
    for entry in try DeviceDirectory().list() {
      guard let device = try? VideoDevice(path: entry.path), device.capabilities.bus == bus,
        device.capabilities.bufferType?.isOutput == true
      else { continue }
      return entry.path
    }
    return nil
  }
}

/// The requirements of a scenario on a camera.
package struct NodeWish: Sendable {
  /// The name of the requirement, as in `the lab has no USB camera`.
  let name: String
  let fits: @Sendable (LabNode) -> Bool

  package init(_ name: String, _ fits: @escaping @Sendable (LabNode) -> Bool) {
    self.name = name
    self.fits = fits
  }

  /// An HDMI input that is not part of a loop, because a loop has no signal of its own.
  package static let digital = NodeWish("HDMI input") { $0.isDigital && $0.output == nil }
}
