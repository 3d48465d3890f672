import Capture
import Harness
import Imagery

/// Which way up the mark in a finished picture is.
struct FiducialProbe {
  /// The mark's square in the stored picture.
  let rect: ChartRect
  let stored: PixelSize

  /// A picture that was turned by `orientation` and scaled, or cropped as aspect-fill does, to its own size.
  func reading(in picture: PixelBuffer, orientation: Orientation) -> FiducialReading? {
    let geometry = AspectFill(source: stored, orientation: orientation, surface: picture.format.size)
    let center = geometry.surfacePoint(
      device: (Double(rect.x) + Double(rect.width) / 2, Double(rect.y) + Double(rect.height) / 2))
    let filled = orientation.applied(to: stored)
    let scale = max(
      Double(picture.format.size.width) / Double(filled.width),
      Double(picture.format.size.height) / Double(filled.height))
    return Fiducial.identify(
      in: picture, center: ChartPoint(x: center.x, y: center.y), side: Double(rect.width) * scale)
  }
}

/// One picture of the matrix: which output, how held, and what the mark said.
struct RotationProof: Sendable {
  let output: String
  let held: Rotation
  /// What is left to be done to the picture as its reader sees it; upright when it is right.
  let residual: Orientation?
  let scores: [Double]
  let picture: [UInt8]?

  var isUpright: Bool { residual == .upright }

  init(output: String, held: Rotation, reading: FiducialReading?, tag: Orientation, picture: [UInt8]?) {
    self.output = output
    self.held = held
    // The reader of a tagged picture does what the tag says.
    residual = reading.flatMap { $0.isCertain ? $0.best.followed(by: tag) : nil }
    scores = reading?.scores ?? []
    self.picture = picture
  }

  /// The four turns it was chosen from, and how well each fitted.
  var candidates: String {
    guard !scores.isEmpty else { return "no mark was found" }
    let listed = zip(Orientation.allCases, scores).map { orientation, score in
      "\(orientation) \((score * 100).rounded() / 100)"
    }
    return listed.joined(separator: ", ")
  }
}
