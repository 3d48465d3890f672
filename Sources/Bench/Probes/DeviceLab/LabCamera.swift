package import Capture
import Harness
import Imagery
package import System

/// The measured camera, as a device of the lab that accepts commands.
package struct LabCamera: Sendable {
  package let lab: DeviceLab
  package let name: String
  package let source: any CameraSource
  /// The node at the time of creation. A camera that is plugged in again may get another node.
  let node: String

  /// - Throws: `Unsupported` outside the lab, and for a source that is not one of its cameras.
  package init(_ rig: Rig) throws {
    lab = try DeviceLab()
    guard let specification = rig.specification, specification.hasPrefix("/dev/") else {
      throw Unsupported("this needs one of the lab's cameras; name one: `--source /dev/video0`")
    }
    let path = String(specification.prefix { $0 != "?" })
    let device = try lab.device(at: path)
    name = device.name
    node = device.node ?? path
    source = try rig.source(orBundled: specification)
  }

  package func unplug() async throws -> MonotonicTime {
    try await onOwnThread { try lab.command(name, "unplug") }
  }

  package func replug() async throws -> MonotonicTime {
    try await onOwnThread { try lab.command(name, "replug") }
  }

  /// Returns whether the camera has a signal that can be lost. For other cameras, the lab refuses commands about the signal.
  package func isDigital() throws -> Bool {
    guard try lab.devices().first(where: { $0.name == name })?.kind == "vivid" else { return false }
    return (try? lab.command(name, "signal", "back")) != nil
  }

  /// Returns the current node. Nil while the camera is unplugged.
  package func currentNode() async throws -> String? {
    try await onOwnThread { try lab.devices().first { $0.name == name }?.node }
  }
}
