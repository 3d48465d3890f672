import Capture
import Probes

extension Rig {
  /// Returns a camera of the lab, with the faults of this rig.
  func source(at specification: String) throws -> any CameraSource {
    var named = self
    named.specification = specification
    return try named.source(orBundled: "")
  }
}
