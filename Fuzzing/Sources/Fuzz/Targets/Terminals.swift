@testable import BookScan
@testable import Console
@testable import Imagery

extension FuzzTarget {
  static let terminals = [terminalAnswer, outline]

  /// Reads the answer of a terminal, or of a program between, to the query about pictures. A longer answer must not take back what
  /// a shorter one said.
  private static let terminalAnswer = FuzzTarget(
    name: "terminal", longest: 256,
    seeds: [
      [UInt8]("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?65;4;6;18;22c"), [UInt8]("\u{1B}[?63;1;2;4c"),
      [UInt8]("\u{03}"),
      [UInt8]("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?4;99999999999999999999c"),
    ]
  ) { bytes in
    let heard = Array(bytes)
    let whole = TerminalAnswer(heard)
    let half = TerminalAnswer(Array(heard.prefix(heard.count / 2)))
    hold(whole.isWhole || !half.isWhole, "more of an answer is less")
    hold(whole.takesKitty || !half.takesKitty, "more of an answer takes back kitty's protocol")
    hold(!whole.takesSixels || whole.attributes?.isEmpty == false, "sixels without an attribute")
  }

  /// Cuts out a spine with these corners from a photo of 64×48 pixels.
  private static let outline = FuzzTarget(
    name: "outline", longest: 32, seeds: [[UInt8](repeating: 64, count: 32)]
  ) { bytes in
    guard let photo else { return }
    var input = InputReader(bytes)
    let corners = (0..<4).map { _ in
      Point(x: Double(Float(bitPattern: input.word())), y: Double(Float(bitPattern: input.word())))
    }
    guard let crop = try? SpineCrop(photo, outline: corners) else { return }
    hold(crop.size.longSide <= SpineCrop.longSide, "a crop of \(crop.size)")
    hold(crop.jpeg.count <= SpineCrop.byteLimit, "a crop of \(crop.jpeg.count) bytes")
  }

  private static let photo: UprightPhoto? = {
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 64, height: 48), color: .jpeg)
    guard let image = try? PixelBufferPool().makeBuffer(format) else { return nil }
    for index in 0..<image.planes[0].byteCount {
      image.planes[0].base.storeBytes(
        of: UInt8(truncatingIfNeeded: index &* 37), toByteOffset: index, as: UInt8.self)
    }
    return try? UprightPhoto(image, orientation: .upright)
  }()
}
