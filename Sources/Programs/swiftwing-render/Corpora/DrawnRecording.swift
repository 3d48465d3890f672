import CCairo
import Corpora
import Imagery

/// The common properties of the bundled corpora.
struct DrawnRecording {
  let name: String
  let directory: String
  let isReplacing: Bool

  /// The manifest of a rendered corpus. The caller adds what is specific to its corpus.
  func manifest(
    title: String, size: PixelSize, framesPerSecond: Int = 30, mountAngle: Rotation = .none,
    isMirrored: Bool = false, isStills: Bool = false
  ) -> CorpusManifest {
    var manifest = CorpusManifest(
      name: name, title: title, licence: "Apache-2.0", madeBy: "swiftwing corpus make \(name)",
      pixelFormat: .mjpeg,
      size: size, color: .jpeg, frameInterval: FrameInterval(numerator: 1, denominator: framesPerSecond),
      mountAngle: mountAngle, isMirrored: isMirrored, exposureEdge: .startOfExposure, isStills: isStills)
    manifest.madeWith =
      [
        "cairo \(String(cString: cairo_version_string()))",
        "pango \(String(cString: pango_version_string()))",
        "libturbojpeg0",
      ] + Typeface.packages
    return manifest
  }

  func writer(_ manifest: CorpusManifest) throws(CorpusError) -> CorpusWriter {
    try CorpusWriter(creating: directory, manifest: manifest, replacing: isReplacing)
  }

  /// The exposure time of frame `index` in nanoseconds, at 30 frames per second.
  static func time(_ index: Int) -> Int64 { Int64(index) * 1_000_000_000 / 30 }
}

/// Smooth motion, computed with polynomials, so that the numbers are the same on every machine.
enum Turn {
  /// 0 before `start`, 1 after `end`, and smooth in between.
  static func smoothStep(_ position: Double, from start: Double, to end: Double) -> Double {
    let t = min(max((position - start) / (end - start), 0), 1)
    return t * t * t * (t * (6 * t - 15) + 10)
  }

  /// Sine and cosine, rounded to 2⁻³⁰, so that they do not depend on the last bit of a C library's tables.
  static func sineAndCosine(_ degrees: Double) -> (Double, Double) {
    let turns = (degrees / 90).rounded()
    let t = (degrees - turns * 90) * 0.017453292519943295
    let square = t * t
    let sine =
      t * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))))
    let cosine =
      1 - square / 2
      * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90 * (1 - square / 132)))))
    let (s, c) = ((sine * 0x1p30).rounded() / 0x1p30, (cosine * 0x1p30).rounded() / 0x1p30)
    return switch (Int(turns) % 4 + 4) % 4 {
    case 0: (s, c)
    case 1: (c, -s)
    case 2: (-s, -c)
    default: (-c, s)
    }
  }
}
