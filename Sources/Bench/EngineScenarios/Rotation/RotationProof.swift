import Capture
import Charts
import Imagery

/// A picture of the matrix: its output, the way the device was held, and the reading of the mark.
struct RotationProof: Sendable {
  let output: String
  let held: Rotation
  /// The orientation of the scene as a reader shows the picture. Upright if the picture is right. Nil if the mark was not read with
  /// certainty.
  let residual: Orientation?
  let scores: [Double]
  let picture: [UInt8]?

  var isUpright: Bool { residual == .upright }

  /// The orientations that were tried, and how well each of them fitted.
  var candidates: String {
    guard !scores.isEmpty else { return "no mark was found" }
    let listed = zip(Orientation.allCases, scores).map { orientation, score in
      "\(orientation) \((score * 100).rounded() / 100)"
    }
    return listed.joined(separator: ", ")
  }
}

extension RotationProof {
  /// - Parameter tag: the orientation that the reader of the picture applies.
  init(output: String, held: Rotation, reading: FiducialReading?, tag: Orientation, picture: [UInt8]?) {
    // The reader of a tagged picture applies the tag.
    self.init(
      output: output, held: held,
      residual: reading.flatMap { $0.isCertain ? $0.best.followed(by: tag) : nil },
      scores: reading?.scores ?? [], picture: picture)
  }
}
