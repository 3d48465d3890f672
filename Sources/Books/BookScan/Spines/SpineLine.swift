/// A line of a spine, and the colours it is printed in.
package struct SpineLine: Sendable, Encodable {
  package var line: TextLine
  /// What is beside the letters.
  package var ground: [Double]
  /// The letters: of the pixels in their middle the quarter that differs most from the ground.
  package var ink: [Double]

  init(_ line: TextLine, in photo: Raster) {
    self.line = line
    let ground = GroundColor(beside: line.region, in: photo)
    let ink = GroundColor(lettersOf: line.region, on: ground, in: photo)
    self.ground = [ground.lightness, ground.a, ground.b]
    self.ink = [ink.lightness, ink.a, ink.b]
  }
}
