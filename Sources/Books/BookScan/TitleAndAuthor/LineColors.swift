/// The two colours of a printed line.
struct LineColors {
  /// The colour beside the letters.
  let ground: GroundColor
  /// The colour of the letters.
  let ink: GroundColor

  init(_ line: TextLine, in photo: Raster) {
    ground = GroundColor(beside: line.region, in: photo)
    ink = GroundColor(lettersOf: line.region, on: ground, in: photo)
  }
}
