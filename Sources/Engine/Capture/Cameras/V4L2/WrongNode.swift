package import Video4Linux

/// What to use in place of a node that gives no pictures: one camera has several nodes, and a machine has codecs among its cameras.
package enum WrongNode {
  static let reason = "it is not a device that captures video"
  /// No more of them are named.
  private static let most = 4

  /// Why the node cannot be used, and which can, as a clause.
  /// - Parameters:
  ///   - path: of the node, or of a link to it.
  ///   - bus: where its driver says that it is; nil for what is no V4L2 device.
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
      return "\(reason); use \(one), which is of the same device and does"
    }
    if !own.isEmpty { return "\(reason); use one of the same device that does: \(list(own))" }
    guard !cameras.isEmpty else { return "\(reason), and no other here is" }
    return "\(reason); use one that does: \(list(cameras.map { "\($0.path) (\($0.capabilities.card))" }))"
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
  }
}

extension V4L2Source {
  /// - Parameter bus: where its driver says that it is; nil for what is no V4L2 device.
  func wrongNode(at path: String, bus: String?) -> CameraError {
    let reason = namesOthers ? WrongNode.reason(path, bus: bus, kernel: kernel) : WrongNode.reason
    return .invalidSource(specification, reason: reason)
  }
}
