import Charts
import Glibc
import Imagery
import Testing

@testable import Corpora

/// A temporary folder that is deleted with the object.
final class TestFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/swiftwing-corpora-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { FolderTree.remove(path) }

  func write(_ text: String, to name: String) throws {
    unlink("\(path)/\(name)")
    try FolderTree.write(Array(text.utf8), to: "\(path)/\(name)")
  }

  func bytes(_ name: String) throws -> [UInt8] { try Self.bytes("\(path)/\(name)") }

  static func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  /// Replaces the first `old` by `new` in a text file of a corpus.
  func replace(_ old: String, with new: String, in name: String) throws {
    let text = try text(name)
    let range = try #require(text.firstRange(of: old))
    try write(text.replacingCharacters(in: range, with: new), to: name)
  }
}

extension String {
  func firstRange(of part: String) -> Range<String.Index>? {
    indices.first { self[$0...].hasPrefix(part) }.map { $0..<index($0, offsetBy: part.count) }
  }

  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}

/// Small corpora of grey frames, each with its time code.
enum TestCorpus {
  static let size = PixelSize(width: 48, height: 32)
  static let rect = ChartRect(x: 4, y: 4, width: 24, height: 24)

  static func manifest(_ name: String = "small") -> CorpusManifest {
    var manifest = CorpusManifest(
      name: name, title: "A test", licence: "Apache-2.0", madeBy: "a test", pixelFormat: .grey, size: size,
      color: .jpeg, frameInterval: FrameInterval(numerator: 1, denominator: 30))
    manifest.timeCode = rect
    return manifest
  }

  static func frame(_ value: UInt32) -> [UInt8] {
    var pixels = [UInt8](repeating: 90, count: size.area)
    pixels.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      TimeCode.draw(
        value, in: rect, luma: Plane(base: base, bytesPerRow: size.width, height: size.height), pixelStride: 1
      )
    }
    return pixels
  }

  /// Events of every kind.
  static let events: [CorpusEvent.Kind] = [
    .angle(degrees: -12.25), .interruption(reason: "device in \"use\"", phase: .began),
    .interruption(reason: "device in \"use\"", phase: .ended), .stall(durationNanoseconds: 7), .unplug,
    .replug,
    .control(name: "gain", value: -3), .scene("Ein Regal\n\u{1F4DA}"),
  ]

  @discardableResult
  static func make(
    in folder: TestFolder, _ name: String = "small", frames: Int = 5, replacing: Bool = false
  ) throws -> Corpus {
    try make(at: "\(folder.path)/\(name)", name, frames: frames, replacing: replacing)
  }

  @discardableResult
  static func make(
    at path: String, _ name: String = "small", frames: Int, replacing: Bool = false
  ) throws -> Corpus {
    let writer = try CorpusWriter(creating: path, manifest: manifest(name), replacing: replacing)
    for (index, kind) in events.enumerated() { try writer.add(CorpusEvent(time: Int64(index), kind: kind)) }
    for index in 0..<frames {
      try writer.addFrame(
        frame(UInt32(index)), suffix: "raw", time: 1000 + Int64(index) * 33_333_333, sequence: UInt32(index))
    }
    writer.truth.spines = [
      .init(
        title: "Emma", author: "Jane Austen", textAngle: 90,
        box: TruthBox(x: 1, y: 2.5, width: 10, height: 20))
    ]
    writer.truth.views = [.init(file: "frames/000001.raw", x: 0.5, y: 0)]
    return try writer.finish()
  }
}
