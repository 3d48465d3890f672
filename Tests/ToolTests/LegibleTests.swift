import ArgumentParser
import BookScan
import Console
import Foundation
import Imagery
import Testing

@testable import swiftwing_tool

/// `swiftwing photo --legible`: its command line and its output.
@Suite struct LegibleTests {
  private func photo(_ line: String) throws -> PhotoCommand? {
    try Invocation(line.split(separator: " ").map(String.init)).command() as? PhotoCommand
  }

  /// The percentage after `--legible` is optional.
  @Test(arguments: [
    ("photo a.jpg --out b.jpg --legible", 98.0), ("photo --legible a.jpg --out b.jpg", 98),
    ("photo --legible 95 a.jpg --out b.jpg", 95), ("photo a.jpg --legible=99.5 --out b.jpg", 99.5),
    ("photo a.jpg --legible --out b.jpg --budget claude", 98),
    ("photo /dev/video0 --legible --out b.jpg --no-metadata", 98),
  ])
  func theShareMayBeLeftOut(line: String, share: Double) throws {
    #expect(try photo(line)?.legibility.legible == share)
  }

  @Test(arguments: ["photo a.jpg --out b.jpg", "photo a.jpg --out b.jpg -- --legible"])
  func withoutItNothingIsRead(line: String) {
    #expect((try? photo(line))?.legibility.legible == nil)
  }

  @Test(arguments: [
    ("--legible 0", "above 0 and at most 100"), ("--legible 101", "above 0 and at most 100"),
    ("--legible --long-side 9", "give one of them"), ("--legible --repeat 2", "leave out --repeat"),
    ("--crops", "add --legible"), ("--level fast", "add --legible"), ("--models x", "add --legible"),
  ])
  func whatDoesNotGoTogetherIsRefused(options: String, says: String) throws {
    let error = #expect(throws: (any Error).self) { try photo("photo a.jpg --out b.jpg \(options)") }
    #expect(error.map { SwiftwingCommands.fullMessage(for: $0).contains(says) } == true)
  }

  @Test(arguments: ["--burst 2", "--bracket 1,2"]) func itMakesOnePhotoOfACamera(option: String) {
    #expect(throws: (any Error).self) {
      try photo("photo simulated:64x64@30 --out b.jpg --legible \(option)")
    }
  }

  @Test func cropsAreOfFiles() throws {
    #expect(try photo("photo a.jpg --out b.jpg --legible --crops")?.legibility.crops == true)
    let error = #expect(throws: (any Error).self) {
      try photo("photo simulated:64x64@30 --out b.jpg --legible --crops")
    }
    #expect(
      error.map { SwiftwingCommands.fullMessage(for: $0).contains("--crops needs a picture file") } == true)
  }

  // MARK: Photos

  private static let size = PixelSize(width: 2000, height: 1500)

  /// Returns a reader that finds one word if its letters are at least 10 pixels high in the photo.
  private func reader(_ height: Double) -> LegibilityReader {
    LegibilityReader(name: "scripted") { bytes in
      let factor = Double(try ImageFile.read(bytes).image.format.size.longSide) / 2000
      guard height * factor >= 10 else { return [] }
      let region = TextRegion(
        center: Point(x: 1000 * factor, y: 700 * factor), length: 400 * factor, height: height * factor,
        angle: 0)
      return [TextLine(text: "Dune", confidence: 1, region: region)]
    }
  }

  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func choice(_ height: Double, maxTokens: Int? = nil) throws -> LegibleChoice {
    let goal = LegibilityGoal(profile: try #require(TokenProfile.named("seed")), maxTokens: maxTokens)
    return LegibleChoice(goal, reader: reader(height), notes: ["from the reader"])
  }

  @Test func aFileBecomesAPhotoThatCanBeRead() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .grey, size: Self.size, color: .jpeg))
    // A new buffer holds random memory. If that were noise, a photo of 1536 pixels would exceed the size limit and be reduced.
    let plane = image.planes[0]
    memset(plane.base, 128, plane.byteCount)
    let whole = PhotoSettings(longSide: nil, maximumLongSide: 4000)
    let file = folder.appending(path: "in.jpg")
    try Data(try PhotoPipeline().process(image, orientation: .upright, settings: whole).bytes).write(to: file)
    let out = folder.appending(path: "out.jpg").path
    let job = PhotoRun(
      input: file.path, output: try Destination(out), settings: PhotoSettings(), profile: "seed",
      profiles: TokenProfile.all, turn: .upright, rounds: 1)
    let outcome = try job.run(try choice(16))
    let written = try ImageFile.read([UInt8](try Data(contentsOf: URL(filePath: out)))).image.format.size
    #expect(written == PixelSize(width: 1536, height: 1152) && outcome.width == 1536)
    let legible = try #require(outcome.legible)
    #expect(
      legible.judge == "recognition" && legible.by == "scripted" && legible.isKept && legible.tokens == 1032)
    #expect(legible.words == 1 && legible.kept == 1 && legible.readings == legible.trials.count + 1)
    #expect(outcome.text.contains("1032 tokens by seed, 1 of 1 words kept (100 %) by scripted"))
    #expect(outcome.notes == ["from the reader"])
    let tight = try job.run(try choice(16, maxTokens: 600))
    #expect(tight.legible?.isKept == false && tight.width <= 1024)
    #expect(tight.notes.last == "no size within 600 tokens keeps 98 %; this one keeps most of those tried")
    // The fields that programs read.
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(outcome)) as? [String: Any]
    let fields = try #require(json?["legible"] as? [String: Any])
    #expect(fields["isKept"] as? Bool == true && (fields["trials"] as? [Any])?.count == legible.trials.count)
  }

  /// Two groups of words are too small in a photo of the whole picture at 1920 pixels. Each group gets its own file.
  @Test func aFileBecomesSeveralPhotosWhereThatKeepsMore() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .grey, size: PixelSize(width: 4000, height: 3000), color: .jpeg))
    memset(image.planes[0].base, 128, image.planes[0].byteCount)
    let whole = PhotoSettings(longSide: nil, maximumLongSide: 4000)
    let file = folder.appending(path: "in.jpg").path
    try Data(try PhotoPipeline().process(image, orientation: .upright, settings: whole).bytes)
      .write(to: URL(filePath: file))
    // The letters are 13 pixels high. A crop shows three words in a row at its centre.
    let words = ["dune", "emma", "ulysses"]
    let reader = LegibilityReader(name: "scripted") { bytes in
      let size = try ImageFile.read(bytes).image.format.size
      func line(_ word: String, _ x: Double, _ y: Double, _ factor: Double) -> TextLine {
        let region = TextRegion(
          center: Point(x: x * factor, y: y * factor), length: 60 * factor, height: 13 * factor, angle: 0)
        return TextLine(text: word, confidence: 1, region: region)
      }
      if Double(size.width) / Double(size.height) < 1.5 {
        let factor = Double(size.width) / 4000
        guard factor * 13 >= 10 else { return [] }
        return [500.0, 2500].flatMap { y in
          words.enumerated().map { line($1, 1900 + 100 * Double($0), y, factor) }
        }
      }
      let factor = Double(size.height) / (13 + 2 * 13)
      return words.enumerated().map { line($1, 30 + 13 + 100 * Double($0), 19.5, factor) }
    }
    let goal = LegibilityGoal(profile: try #require(TokenProfile.named("seed")))
    let out = folder.appending(path: "out.jpg").path
    func job() throws -> PhotoRun {
      PhotoRun(
        input: file, output: try Destination(out), settings: PhotoSettings(), profile: "seed",
        profiles: TokenProfile.all, turn: .upright, rounds: 1)
    }
    let choice = LegibleChoice(goal, reader: reader)
    let outcome = try job().crops(choice) { try Destination($0) }
    #expect(outcome.areCrops && outcome.words == 6 && outcome.crops?.kept == 6)
    let names = ["out-1.jpg", "out-2.jpg"]
    #expect(outcome.photos.map(\.out) == names.map { folder.appending(path: $0).path })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["in.jpg"] + names)
    #expect(outcome.photos[0].box?.y ?? 0 < 500 && outcome.photos[1].box?.y ?? 0 > 2400)
    #expect(outcome.text.last?.hasSuffix(" s") == true && outcome.notes.isEmpty)
    // An existing file is refused before the picture is read.
    let silent = LegibleChoice(
      goal, reader: LegibilityReader(name: "silent") { _ in throw CancellationError() })
    #expect(throws: DestinationError.self) {
      try job().crops(silent) { try Destination($0, mayReplace: false) }
    }
  }

  @Test func aCamerasFrameBecomesAPhotoThatCanBeRead() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let out = folder.appending(path: "out.jpg").path
    let command = try #require(try photo("photo simulated:2000x1500@30 --out \(out) --legible"))
    let job = CameraPhotoJob(
      source: "simulated:2000x1500@30", path: out, inputs: [], mayReplace: false, settings: PhotoSettings(),
      angle: nil,
      options: command.camera)
    let outcome = try await job.run(try choice(40))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: out)))
    #expect(try ImageFile.read(bytes).image.format.size == PixelSize(width: 768, height: 576))
    #expect(outcome.photos.count == 1 && outcome.photos.first?.bytes == bytes.count)
    #expect(outcome.photos.first?.legible?.tokens == 258 && outcome.photos.first?.width == 768)
    #expect(outcome.notes == ["from the reader"])
  }

  @Test func theLiveScanTakesASizeOrChoosesIt() throws {
    func scan(_ options: String) throws -> LiveScan? {
      let words = options.split(separator: " ").map(String.init)
      return try Invocation(["scan"] + words).command() as? LiveScan
    }
    #expect(try scan("")?.ways.uploadSize == .legible)
    #expect(try scan("--upload-size legible --budget claude")?.ways.uploadSize == .legible)
    #expect(try scan("--upload-size 1024")?.ways.uploadSize == .longSide(1024))
    for wrong in ["--upload-size 0", "--upload-size 1921", "--upload-size large"] {
      #expect(throws: (any Error).self) { try scan(wrong) }
    }
  }
}

@Suite struct TokenPriceTests {
  @Test(arguments: [("3", "", 3.0), ("seed=0.05", "seed", 0.05), ("claude=0", "claude", 0)])
  func aPriceIsOfAllOrOfOne(text: String, profile: String, value: Double) {
    #expect(TokenPrice(argument: text) == TokenPrice(profile: profile, value: value))
  }

  @Test(arguments: ["", "=3", "seed=", "-1", "nan", "inf", "2000000", "a=b=3", "seed"])
  func whatIsNoPriceIsRefused(text: String) { #expect(TokenPrice(argument: text) == nil) }
}
