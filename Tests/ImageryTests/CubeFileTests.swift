import Foundation
import Imagery
import Testing

/// The parts of a `.cube` file that are read, and the files that are refused. A refused file gives a one-sentence error, never a
/// picture without the look.
@Suite struct CubeFileTests {
  /// The rows of `rows` after the first.
  static let tail = "1 0 0\n0 .75 0\n1 .75 0\n0 .25 1\n1 .25 1\n0 1 1\n1 1 1\n"
  static let rows = "0 0 0\n1 0 0\n0 .75 0\n1 .75 0\n0 .25 1\n1 .25 1\n0 1 1\n1 1 1\n"

  private func look(_ text: String) throws -> ColorLookup { try ColorLookup(cube: Array(text.utf8)) }

  @Test func readsALattice() throws {
    let look = try look("TITLE \"A look\"\n# a comment\n\nLUT_3D_SIZE 2\n" + Self.rows)
    #expect(look.title == "A look" && look.kind == .lattice(size: 2))
    let color = look.color(red: 0.5, green: 1, blue: 0)
    #expect(abs(color.red - 0.5) < 1e-6 && abs(color.green - 0.75) < 1e-6 && color.blue == 0)
  }

  @Test func readsCurves() throws {
    let look = try look(
      "LUT_1D_SIZE 3\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 2 4\n0 0 0\n# here too\n0.5 1 1.5\n1 1 1\n")
    #expect(look.title == nil && look.kind == .curves(size: 3))
    let color = look.color(red: 0.25, green: 0.5, blue: 0.5)
    #expect(color.red == 0.25 && color.green == 0.5 && color.blue == 0.375)
    // A value outside the table's domain gets the table's first or last entry.
    #expect(look.color(red: -1, green: 9, blue: 9) == (0, 1, 1))
  }

  /// DaVinci Resolve's dialect allows curves before the lattice, each table with its own input range.
  @Test func readsCurvesBeforeALattice() throws {
    let look = try look(
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 0.5\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n0 0 0\n1 1 1\n"
        + Self.rows)
    #expect(look.kind == .shapedLattice(curves: 2, lattice: 2))
    let color = look.color(red: 0.25, green: 0.5, blue: 0)
    #expect(abs(color.red - 0.5) < 1e-6 && abs(color.green - 0.75) < 1e-6)
  }

  /// In DaVinci Resolve's dialect, the input or the output may be in video range: black is 64 and white 940, of 1023.
  @Test func aTableMayBeOfVideoRange() throws {
    let (black, white) = (64.0 / 1023, 940.0 / 1023)
    let grey = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"
    let taking = try look("LUT_IN_VIDEO_RANGE\n" + grey)
    let giving = try look("LUT_OUT_VIDEO_RANGE\n" + grey)
    let both = try look("LUT_OUT_VIDEO_RANGE\nLUT_IN_VIDEO_RANGE\n" + grey)
    for value in [0, 0.25, 0.5, 1] {
      let code = black + value * (white - black)
      #expect(abs(taking.color(red: value, green: 0, blue: 0).red - code) < 1e-6)
      #expect(abs(giving.color(red: code, green: 0, blue: 0).red - value) < 1e-6)
      #expect(abs(both.color(red: value, green: 0, blue: 0).red - value) < 1e-6)
    }
    // In a file with two tables, the input range applies to the first and the output range to the second.
    let two = try look(
      "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\nLUT_OUT_VIDEO_RANGE\n0 0 0\n1 1 1\n" + Self.rows)
    let color = two.color(red: 1, green: 1, blue: 0)
    #expect(
      abs(color.red - 1) < 1e-6
        && abs(color.green - (white * 0.75 + black * 0.25 - black) / (white - black)) < 1e-6)
  }

  /// The curves come before the lattice, whatever the order of the two size lines.
  @Test func theSizesMayComeInAnyOrder() throws {
    let rows = "0 0 0\n1 1 1\n" + Self.rows
    #expect(
      try look("LUT_3D_SIZE 2\nLUT_1D_SIZE 2\n" + rows) == look("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n" + rows))
  }

  /// `@` is replaced by eight valid rows.
  @Test(arguments: [
    "\u{FEFF}LUT_3D_SIZE 2\n@", "LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n@",
    "LUT_3D_SIZE 2\n0e0 0 0\n1.0E+0 0 0\n0 75e-2 0\n+1 .75 0\n0 .25 1\n1 .25 1\n0 1 1\n1. 1 1",
    "LUT_3D_SIZE 2\n#1\n0 0 0\n# 2\n1 0 0\n0 .75 0\n\n1 .75 0\n#\n0 .25 1\n1 .25 1\n0 1 1\n1 1 1\n# end",
    "#\(String(repeating: " long", count: 5000))\nLUT_3D_SIZE 2\n@", "LUT_3D_SIZE 2\n1e-400 0 0\n\(tail)",
    "TITLE \"a # b\"\nTITLE \"again\"\nlut_3d_size 2 # nodes\n0 0 0 # x\n1 0 0#y\n0 .75 0\t#\n1 .75 0\n0 .25 1\n1 .25 1\n0 1 1\n1 1 1\n",
    "Lut_3D_Size 2\n@Domain_Min 0 0 0\nDOMAIN_MAX 1 1 1 # end", "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0. 1.\n@",
  ])
  func readsWhatProgramsWrite(text: String) throws {
    #expect(try look(Self.filled(text)) == look(Self.filled("LUT_3D_SIZE 2\n@")))
  }

  @Test(arguments: [("\n", "\r\n"), ("\n", "\r"), (" ", " \t"), ("\n", "\n\n  ")])
  func blanksAndLineEndsMayVary(from: String, to: String) throws {
    let text = Self.filled("LUT_3D_SIZE 2\n@")
    #expect(try look(text.replacingOccurrences(of: from, with: to)) == look(text))
  }

  private static func filled(_ text: String) -> String { text.replacingOccurrences(of: "@", with: rows) }

  private static let damaged: [(text: String, code: String, line: Int?)] = [
    ("", "empty", nil), ("\n \n# nothing\n", "empty", nil), ("TITLE \"only\"\n", "no-size", nil),
    ("@", "no-size", 1), ("LUT_3D_SIZE 1\n0 0 0\n", "bad-size", 1), ("LUT_3D_SIZE -2\n@", "bad-size", 1),
    ("LUT_3D_SIZE 100000\n@", "bad-size", 1), ("LUT_1D_SIZE 65537\n@", "bad-size", 1),
    ("LUT_3D_SIZE two\n@", "bad-size", 1), ("LUT_3D_SIZE\n@", "bad-size", 1),
    ("LUT_3D_SIZE 2\n@1 1 1\n", "too-many-rows", nil), ("LUT_3D_SIZE 3\n@", "too-few-rows", nil),
    ("LUT_3D_SIZE 2\nnan 0 0\n@", "not-finite", 2), ("LUT_3D_SIZE 2\n-Inf 0 0\n@", "not-finite", 2),
    ("LUT_3D_SIZE 2\n1e39 0 0\n@", "not-finite", 2), ("LUT_3D_SIZE 2\n0,5 0 0\n@", "bad-line", 2),
    ("LUT_3D_SIZE 2\n0 0\n@", "bad-line", 2), ("LUT_3D_SIZE 2\n0 0 0 0\n@", "bad-line", 2),
    ("LUT_3D_SIZE 2\n0x1 0 0\n@", "bad-line", 2), ("LUT_3D_SIZE 2\n0 0 0\nLUT_3D_SIZE 2\n@", "bad-line", 3),
    ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n@", "bad-line", 2),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 1\nDOMAIN_MAX 1 1 1\n@", "bad-domain", nil),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0\n@", "bad-line", 2),
    ("LUT_3D_SIZE 2\nDOMAIN_MAX 2 2 2\nLUT_3D_INPUT_RANGE 0 1\n@", "bad-domain", nil),
    ("LUT_3D_SIZE 2\nLUT_IN_FILM_RANGE\n@", "unknown-keyword", 2),
    ("LUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE 1\n@", "bad-line", 2), ("LUT_3D_SIZE 2\n0 0 # 0\n@", "bad-line", 2),
    ("LUT_3D_SIZE 2\nLUT_OUT_VIDEO_RANGE\nLUT_OUT_VIDEO_RANGE\n@", "bad-line", 3),
    ("LUT_3D_SIZE 2\n\u{0}@", "not-text", nil), ("LUT_3D_SIZE 2\n1e400 0 0\n@", "not-finite", 2),
    ("LUT_3D_SIZE 257\n@", "bad-size", 1), ("LUT_1D_SIZE 1\n0 0 0\n", "bad-size", 1),
    ("LUT_3D_SIZE 99999999999999999999\n@", "bad-size", 1),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN -1e400 0 0\n@", "not-finite", 2),
    ("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 1 1\n@", "bad-domain", nil),
    // The two tables follow one another, each with its size line before it, which is not allowed.
    ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\nLUT_3D_SIZE 2\n@", "bad-line", 4),
    ("LUT_3D_SIZE 2\n@LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", "bad-line", 10),
    ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n@", "too-few-rows", nil),
    ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nDOMAIN_MAX 2 2 2\n0 0 0\n1 1 1\n@", "bad-domain", nil),
    ("LUT_3D_SIZE 2\n\(String(repeating: "1 ", count: 5000))\n@", "bad-line", 2),
    ("LUT_3D_SIZE 2\n@\(rows)0,5 0 0\n", "too-many-rows", nil),
  ]

  @Test(arguments: damaged)
  func refusesWhatIsDamaged(text: String, code: String, line: Int?) throws {
    let error = try #require(throws: LookupError.self) { _ = try look(Self.filled(text)) }
    #expect(error.code.rawValue == code && error.line == line, "\(error)")
    #expect(error.description.hasPrefix("Cannot read the look because "))
    #expect(error.description.hasSuffix("; export it again as a .cube file."))
  }

  /// An error message contains no control characters of the file, which a terminal would obey.
  @Test func aHostileKeywordIsShownHarmless() throws {
    let error = try #require(throws: LookupError.self) {
      _ = try look("LUT_3D_SIZE 2\nK\u{202E}" + String(repeating: "x", count: 5000) + "\n")
    }
    #expect(
      error.description.utf8.count < 250 && error.description.utf8.allSatisfy { (32...126).contains($0) })
  }

  @Test func anotherEncodingIsNoText() throws {
    let wide: [UInt8] = [0xFF, 0xFE] + "LUT_3D_SIZE 2\n".utf8.flatMap { [$0, 0] }
    #expect(try #require(throws: LookupError.self) { _ = try ColorLookup(cube: wide) }.code == .notText)
  }

  /// A huge file is refused unread, and a pipe without a writer does not block.
  @Test func whatIsNoSmallFileIsRefusedUnread() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (large, pipe) = ("\(folder)/large.cube", "\(folder)/pipe.cube")
    try #require(FileManager.default.createFile(atPath: large, contents: nil))
    try #require(truncate(large, 1 << 30) == 0 && mkfifo(pipe, 0o600) == 0)
    for (path, code) in [(large, "too-large"), (pipe, "unreadable"), (folder, "unreadable")] {
      let error = try #require(throws: LookupError.self) { _ = try ColorLookup(file: path) }
      #expect(error.code.rawValue == code, "\(error)")
    }
  }

  @Test func aHugeFileIsRefusedUnread() throws {
    let error = try #require(throws: LookupError.self) {
      _ = try ColorLookup(cube: [UInt8](repeating: 48, count: ColorLookup.mostBytes + 1))
    }
    #expect(error.code == .tooLarge)
  }

  /// Reads all files of the shared collection, and compares the errors of the damaged ones.
  @Test(.enabled(if: Pictures.hasData("luts"))) func verdictsOnTheSharedFiles() throws {
    let refused = [
      "binary_garbage": "not-text", "empty": "empty", "nan_value": "not-finite",
      "one_row_extra": "too-many-rows",
      "one_row_missing": "too-few-rows", "size_huge": "bad-size", "size_missing": "no-size",
      "size_negative": "bad-size", "size_one": "bad-size", "truncated_half": "bad-line",
    ]
    var read = 0
    for file in Pictures.files("luts") where file.pathExtension == "cube" {
      let name = file.deletingPathExtension().lastPathComponent
      let bytes = [UInt8](try Data(contentsOf: file))
      let code: String?
      do throws(LookupError) {
        _ = try ColorLookup(cube: bytes)
        code = nil
      } catch { code = error.code.rawValue }
      #expect(code == refused[name], "\(file.path): \(code ?? "read")")
      read += code == nil ? 1 : 0
    }
    #expect(read >= 20)
  }
}
