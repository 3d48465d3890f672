import Foundation
import System
import Testing

@testable import Imagery

/// LUT-1: every output value is within 1/255 of the exact one.
@Suite struct LookTests {
  private static let cubes: [(name: String, cube: Cube)] = [
    ("smooth 2", .smooth(2)), ("smooth 17", .smooth(17)), ("smooth 33", .smooth(33)), ("noise 5", .noise(5)),
    ("beyond white", .noise(4, from: -1.5, to: 2)), ("scene light", .noise(3, from: -4, to: 14)),
  ]

  /// Returns a picture of noise. A look must not change its alpha.
  private static func pixels(_ format: PixelFormat) throws -> PixelBuffer {
    try Pictures.raw(format, 96, 61, .jpeg, Pictures.noise)
  }

  @Test(arguments: 0..<6, [PixelFormat.bgra, .rgba]) func latticesAreExact(index: Int, format: PixelFormat)
    throws
  {
    let (name, cube) = Self.cubes[index]
    let (before, after) = (try Self.pixels(format), try Self.pixels(format))
    try cube.look().apply(to: after)
    var worst = 0.0
    for y in 0..<61 {
      for x in 0..<96 {
        let want = cube.codes(Pictures.rgb(before, x, y).map(Double.init))
        for (want, have) in zip(want, Pictures.rgb(after, x, y)) {
          worst = max(worst, abs(want - Double(have)))
        }
        #expect(alpha(before, x, y) == alpha(after, x, y))
      }
    }
    #expect(worst <= 1, "\(name)")
  }

  private func alpha(_ image: PixelBuffer, _ x: Int, _ y: Int) -> UInt8 {
    image.planes[0].bytes[y * image.planes[0].bytesPerRow + x * 4 + 3]
  }

  @Test func theIdentityChangesNothing() throws {
    for size in [2, 17, 33, 65] {
      let (before, after) = (try Self.pixels(.bgra), try Self.pixels(.bgra))
      try Cube.identity(size).look().apply(to: after)
      #expect(before.planes[0].bytes.elementsEqual(after.planes[0].bytes), "\(size)")
    }
  }

  @Test func theDomainIsKept() throws {
    var cube = Cube.smooth(9)
    (cube.minimum, cube.maximum) = ([-0.1, 0.2, 0], [1.5, 0.9, 3])
    let (before, after) = (try Self.pixels(.bgra), try Self.pixels(.bgra))
    let look = try cube.look()
    try look.apply(to: after)
    for y in 0..<61 {
      for x in 0..<96 {
        let want = cube.codes(Pictures.rgb(before, x, y).map(Double.init))
        for (want, have) in zip(want, Pictures.rgb(after, x, y)) { #expect(abs(want - Double(have)) <= 1) }
      }
    }
    let exact = look.color(red: 0.3, green: 0.5, blue: 0.7)
    for (want, have) in zip(cube.value([0.3, 0.5, 0.7]), [exact.red, exact.green, exact.blue]) {
      #expect(abs(want - have) < 1e-6)
    }
  }

  /// Looks of curves alone, and of curves before a lattice.
  @Test(arguments: [false, true], [PixelFormat.bgra, .rgba]) func curvesAreExact(
    hasLattice: Bool, format: PixelFormat
  ) throws {
    let curve = (0..<16).map { entry in (0..<3).map { pow(Double(entry) / 15, [0.5, 1, 2][$0]) } }
    let cube = Cube.smooth(5)
    let head = "LUT_1D_SIZE 16\n" + (hasLattice ? "LUT_3D_SIZE 5\n" : "")
    let rows = (curve + (hasLattice ? cube.nodes : [])).map { "\($0[0]) \($0[1]) \($0[2])" }
    let look = try ColorLookup(cube: Array((head + rows.joined(separator: "\n")).utf8))
    let (before, after) = (try Self.pixels(format), try Self.pixels(format))
    try look.apply(to: after)
    for y in 0..<61 {
      for x in 0..<96 {
        let shaped = Pictures.rgb(before, x, y).enumerated().map { channel, code in
          let (at, index) = (Double(code) / 17, min(code / 17, 14))
          return curve[index][channel] + (curve[index + 1][channel] - curve[index][channel])
            * (at - Double(index))
        }
        let want = hasLattice ? cube.value(shaped) : shaped
        for (want, have) in zip(want, Pictures.rgb(after, x, y)) {
          #expect(abs(min(max(want, 0), 1) * 255 - Double(have)) <= 1)
        }
      }
    }
  }

  /// Two threads make the same picture as one.
  @Test func twoThreadsMakeThePictureOfOne() throws {
    let look = try Cube.noise(17).look()
    let (width, height) = (640, 401)
    let source = try Pictures.raw(.bgra, width, height, .jpeg, Pictures.noise)
    let alone = try Pictures.raw(.bgra, width, height, .jpeg, Pictures.noise)
    try look.apply(to: alone)
    let renderer = PreviewRenderer()
    renderer.look = look
    for _ in 0..<20 {
      let surface = try Pictures.surface(width, height, .bgra)
      try renderer.render(source, orientation: .upright, into: surface)
      for y in stride(from: 0, to: height, by: 7) {
        for x in stride(from: 0, to: width, by: 11) {
          #expect(Pictures.rgb(surface, x, y) == Pictures.rgb(alone, x, y))
        }
      }
    }
  }

  @Test func whatIsNotRGBIsRefusedInPlace() throws {
    let image = try Pictures.raw(.nv12, 16, 16, .jpeg, Pictures.noise)
    #expect(throws: ImageError.self) { try Cube.identity(2).look().apply(to: image) }
  }

  @Test func aFileIsReadWhole() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).cube").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Cube.noise(5).text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try ColorLookup(file: path) == Cube.noise(5).look())
    for (path, reason) in [("/nowhere.cube", "there is no such file"), ("/", "it is not a file")] {
      let error = try #require(throws: LookupError.self) { _ = try ColorLookup(file: path) }
      #expect(error.code == .unreadable && error.reason == reason)
    }
  }

  @Test(arguments: [
    (EIO, "check the disk"), (ELOOP, "check the path"), (ENAMETOOLONG, "check the path"),
    (EMFILE, "end other programs, and try again"),
  ])
  func aFileThatTheSystemRefusesHasARemedyOfItsOwn(errno: CInt, remedy: String) {
    let error = LookupError(.system(errno))
    #expect(error.code == .unreadable && error.description.contains(remedy))
  }

  /// In limited range, the table's input is the code scaled to 0...1 between black and white.
  @Test func limitedPixelsAreReadAsLight() throws {
    let limited = ColorDescription(matrix: .bt709, range: .limited)
    let image = try Pictures.raw(.bgra, 3, 1, limited) { _, x, _ in x % 4 == 3 ? 255 : [16, 126, 235][x / 4] }
    try Cube(2) { [1 - $0, 1 - $1, 1 - $2] }.look().apply(to: image)
    #expect((0..<3).map { Pictures.rgb(image, $0, 0)[1] } == [235, 125, 16])
  }

  /// Compares with values recorded from ffmpeg. ffmpeg divides by the length of the domain without subtracting its beginning, so
  /// its result for a colour is the table's value at that colour plus the beginning of the domain.
  @Test(.enabled(if: Pictures.hasData("luts/ffmpeg_reference.json")))
  func agreesWithFFmpeg() throws {
    struct Recorded: Decodable {
      let inputs: [[Double]]
      let outputs: [String: [String: [[Double]]]]
      enum CodingKeys: String, CodingKey {
        case inputs = "inputs_rgb"
        case outputs
      }
    }
    let recorded = try JSONDecoder().decode(
      Recorded.self, from: Data(Pictures.bytes("luts/ffmpeg_reference.json")))
    var compared = 0
    for (name, results) in recorded.outputs where Pictures.hasData("luts/" + name) {
      let look = try ColorLookup(cube: Pictures.bytes("luts/" + name))
      let offset = name == "colour/iridas_cube/eotf_sRGB_3D.cube" ? [-0.1, -0.15, -0.2] : [0, 0, 0]
      let wanted = try #require(results["tetrahedral"])
      for (input, want) in zip(recorded.inputs, wanted) {
        let have = look.color(
          red: input[0] + offset[0], green: input[1] + offset[1], blue: input[2] + offset[2])
        for (want, have) in zip(want, [have.red, have.green, have.blue]) {
          #expect(abs(want - have) <= 0.1 / 255, "\(name) \(input)")
        }
        compared += 1
      }
    }
    #expect(compared >= 64)
  }
}
