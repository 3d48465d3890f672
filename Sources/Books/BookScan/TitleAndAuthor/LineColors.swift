/// The colours that a line of a spine is printed in.
struct LineColors {
  /// What is beside the letters.
  let ground: GroundColor
  /// The letters.
  let ink: GroundColor

  init(_ line: TextLine, in photo: Raster) {
    ground = GroundColor(beside: line.region, in: photo)
    ink = GroundColor(lettersOf: line.region, on: ground, in: photo)
  }
}
