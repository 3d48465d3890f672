package import Imagery

/// The greatest difference of any value between a picture with a look and the reference.
package struct LookDistance {
  /// The difference, in levels of 255.
  package let worst: Double

  /// - Parameters:
  ///   - picture: the picture with the look.
  ///   - before: the picture without the look, of the same size, in any format.
  package init(_ picture: PixelBuffer, from before: PixelBuffer, by reference: ReferenceLook) {
    guard picture.format.size == before.format.size,
      let (have, plain) = try? (
        ReferencePicture(exactly: picture).samples, ReferencePicture(exactly: before).samples
      )
    else {
      self.worst = 255
      return
    }
    var worst = 0.0
    for place in stride(from: 0, to: have.values.count, by: 3) {
      let want = reference.codes(plain.values[place], plain.values[place + 1], blue: plain.values[place + 2])
      for channel in 0..<3 { worst = max(worst, abs(want[channel] - have.values[place + channel])) }
    }
    self.worst = worst
  }
}
