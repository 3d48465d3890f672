import BookScan
import Glibc
import Imagery
import System

/// A recogniser for tests and trials. It does not read the picture, but follows the commands behind `SCRIPT:` at the end of the
/// file, one command per word. So a test decides what is found, and what ends the process.
enum ScriptedReader {
  /// The first argument that makes this program the scripted recogniser.
  static let argument = "scripted"
  private static let mark = Array("SCRIPT:".utf8)

  /// The settings of a `RecognitionWorker` that starts the scripted recogniser.
  static var settings: RecognitionWorker.Settings {
    RecognitionWorker.Settings(program: RunningProgram.sibling("swiftwing-trials"), arguments: [argument])
  }

  static func run() -> Never {
    RecognitionService.run { (_) throws(ScanError) in
      RecognitionService.Reader(name: "scripted") {
        (bytes, _, reading, withAppearances) throws(ScanError) in
        var findings = try findings(bytes, reading)
        if withAppearances { try findings.addAppearances(in: try UprightPhoto(file: bytes)) }
        return findings
      }
    }
  }

  private static func findings(_ bytes: [UInt8], _ reading: TextReading?) throws(ScanError) -> PhotoFindings {
    let size: PixelSize
    do throws(ImageError) { size = try ImageFile.read(bytes).image.format.size } catch { throw .image(error) }
    var findings = PhotoFindings(
      recognizer: "scripted", size: size, lines: reading?.lines ?? [], spines: [], cost: reading?.cost)
    for command in commands(bytes) { perform(command, &findings) }
    return findings
  }

  private static func commands(_ bytes: [UInt8]) -> [Substring] {
    let end = bytes.suffix(1024)
    guard let start = end.indices.last(where: { end[$0...].starts(with: mark) }) else { return [] }
    return String(decoding: bytes[(start + mark.count)...], as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
  }

  private static func perform(_ command: Substring, _ findings: inout PhotoFindings) {
    let size = findings.size
    let parts = command.split(separator: "=", maxSplits: 1)
    let value = parts.count > 1 ? String(parts[1]) : ""
    switch parts.first {
    case "book": findings.spines.append(spine(value, size))
    case "doubtful": findings.spines.append(spine(value, size, certainty: .doubtful))
    case "unlikely": findings.unlikely.append(spine(value, size, certainty: .unlikely))
    case "wait": usleep(UInt32(value).map { $0 * 1000 } ?? 0)
    // Ends the process the first time: if the file does not exist, creates it and aborts.
    case "once":
      guard access(value, F_OK) != 0 else { return }
      close(open(value, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
      abort()
    case "abort":
      say("scripted: assertion `\(value)' failed\n", STDERR_FILENO)
      abort()
    case "crash": raise(SIGILL)
    case "leave": exit(3)
    case "hang": while true { pause() }
    case "noise":
      for _ in 0..<100_000 {
        say("noise on standard output\n", STDOUT_FILENO)
        say("noise on standard error\n", STDERR_FILENO)
      }
    case "lie": findings.spines = Array(repeating: spine("Lie", size), count: 100_000)
    case "fill": fill()
    // Allocates this many megabytes and keeps them.
    case "keep": if malloc((Int(value) ?? 0) << 20) == nil { abort() }
    default: break
    }
  }

  private static func say(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Returns a spine in the middle of the photo, where nothing cuts it off; for `Dune@3`, in the fourth of nine places side by
  /// side.
  private static func spine(
    _ value: String, _ size: PixelSize, certainty: Certainty = .sure
  ) -> SpineFinding {
    let (width, height) = (Double(size.width), Double(size.height))
    let parts = value.split(separator: "@", maxSplits: 1)
    let slot = parts.count == 2 ? Int(parts[1]).flatMap { (0..<9).contains($0) ? Double($0) : nil } : nil
    let (x, thickness) = slot.map { (0.05 + 0.1 * $0, 0.06) } ?? (0.4, 0.2)
    return SpineFinding(
      title: String(parts.first ?? ""), author: "Somebody", confidence: 0.9, certainty: certainty,
      box: Box(x: width * x, y: height * 0.25, width: width * thickness, height: height * 0.5), angle: 90)
  }

  /// Allocates memory until none is left, 2 GB at most, like a library with a leak. Does not touch the memory.
  private static func fill() {
    for _ in 0..<32 where malloc(64 << 20) == nil {
      say("scripted: no memory\n", STDERR_FILENO)
      abort()
    }
  }
}

/// A photograph with commands for `ScriptedReader`.
enum ScriptedPhoto {
  static func picture() throws -> [UInt8] {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 320, height: 240), color: .jpeg))
    // The memory of a new picture is not blank: it may hold another picture, with text.
    for plane in image.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 255, count: plane.byteCount)
    }
    return try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings()).bytes
  }

  /// Returns the commands as they stand behind the picture.
  static func ending(_ script: String) -> [UInt8] { Array("SCRIPT:\(script)".utf8) }

  /// Returns a title of twenty letters, so that no two resemble each other.
  static func title(_ chance: inout SplitMix64) -> String {
    String((0..<20).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &chance) ?? "a" })
  }
}
