import Harness
import Video4Linux

/// A camera of the lab and what its driver says it is: how a scenario finds one that has what it measures.
package struct LabNode: Sendable {
  /// As `lab-ctl` knows it, such as `vivid0`.
  package let name: String
  package let path: String
  /// Frames a second of the signal of an HDMI input; nil for a camera, which has no signal to lose.
  package let signalRate: Double?
  /// The node of the same device that gives back what is written to it.
  package let output: String?

  package var isDigital: Bool { signalRate != nil }
  package var isUSB: Bool { name.hasPrefix("uvc") }

  /// The cameras that a scenario may use: the one the user named, or all of the lab.
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

  /// The first that has what is measured.
  package static func first(_ lab: DeviceLab, _ rig: Rig, wanted: NodeWish) throws -> LabNode {
    guard let found = try list(lab, rig).first(where: wanted.fits) else {
      throw Unsupported(
        rig.specification.map { "\($0) is no \(wanted.name)" } ?? "the lab has no \(wanted.name)")
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

  /// The node that takes pictures for the same device.
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

/// What a scenario needs of a camera.
package struct NodeWish: Sendable {
  /// As in `the lab has no USB camera`.
  let name: String
  let fits: @Sendable (LabNode) -> Bool

  package init(_ name: String, _ fits: @escaping @Sendable (LabNode) -> Bool) {
    self.name = name
    self.fits = fits
  }

  /// Without a loop, which has no signal of its own.
  package static let digital = NodeWish("HDMI input") { $0.isDigital && $0.output == nil }
}
