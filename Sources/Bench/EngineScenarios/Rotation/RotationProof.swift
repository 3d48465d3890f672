import Capture
import Charts
import Imagery

/// One picture of the matrix: which output, how held, and what the mark said.
struct RotationProof: Sendable {
  let output: String
  let held: Rotation
  /// What is left to be done to the picture as its reader sees it; upright when it is right.
  let residual: Orientation?
  let scores: [Double]
  let picture: [UInt8]?

  var isUpright: Bool { residual == .upright }

  /// The four turns it was chosen from, and how well each fitted.
  var candidates: String {
    guard !scores.isEmpty else { return "no mark was found" }
    let listed = zip(Orientation.allCases, scores).map { orientation, score in
      "\(orientation) \((score * 100).rounded() / 100)"
    }
    return listed.joined(separator: ", ")
  }
}

extension RotationProof {
  /// - Parameter tag: what the reader of the picture is told to do with it.
  init(output: String, held: Rotation, reading: FiducialReading?, tag: Orientation, picture: [UInt8]?) {
    // The reader of a tagged picture does what the tag says.
    self.init(
      output: output, held: held,
      residual: reading.flatMap { $0.isCertain ? $0.best.followed(by: tag) : nil },
      scores: reading?.scores ?? [], picture: picture)
  }
}
