package import Video4Linux

/// Suggests nodes to use in place of one that delivers no pictures: a camera has several nodes, and a machine has codecs among its cameras.
package enum WrongNode {
  static let reason = "it is not a device that captures video"
  /// The largest number of nodes to name.
  private static let most = 4

  /// A clause with the reason why the node cannot be used, and the nodes that can.
  /// - Parameters:
  ///   - path: the path of the node, or of a link to it.
  ///   - bus: the bus that its driver reports; nil if it is no V4L2 device.
  package static func reason(_ path: String, bus: String?, kernel: any Kernel) -> String {
    let node = (try? kernel.resolve(path)) ?? path
    var cameras: [(path: String, capabilities: DeviceCapabilities)] = []
    for entry in (try? DeviceDirectory(kernel: kernel).list()) ?? [] where entry.path != node {
      guard let device = try? VideoDevice(path: entry.path, kernel: kernel) else { continue }
      if device.capabilities.isCapture { cameras.append((entry.path, device.capabilities)) }
      device.close()
    }
    let own = cameras.filter { $0.capabilities.bus == bus }.map(\.path)
    if let one = own.first, own.count == 1 {
      return "\(reason); use \(one), the node of the same device that does"
    }
    if !own.isEmpty { return "\(reason); use a node of the same device that does: \(list(own))" }
    guard !cameras.isEmpty else {
      return "\(reason), and no other device on this machine captures video; plug a camera in"
    }
    return
      "\(reason); use a device that does: \(list(cameras.map { "\($0.path) (\($0.capabilities.card))" }))"
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
  }
}

extension V4L2Source {
  /// - Parameter bus: the bus that its driver reports; nil if it is no V4L2 device.
  func wrongNode(at path: String, bus: String?) -> CameraError {
    let reason = namesOthers ? WrongNode.reason(path, bus: bus, kernel: kernel) : WrongNode.reason
    return .invalidSource(specification, reason: reason)
  }
}
