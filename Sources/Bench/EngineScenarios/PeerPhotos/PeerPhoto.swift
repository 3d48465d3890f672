import Corpora
import Harness
import Imagery
import Probes

import struct Foundation.Data
import struct Foundation.URL

/// IMG-5: `swiftwing photo` compared with other programs that make photos smaller.
struct PeerPhoto: Scenario {
  let id = "peers-photo.still"
  let suite = Suite.peersPhoto
  let title = "A photo made smaller, beside other programs"
  let purpose =
    "A user who makes a thousand photos smaller waits for whole processes; a quick photo path in a "
    + "program that is slow to start is no help."
  let exampleFailure =
    "A program that loads libraries it does not need: vipsthumbnail is done before it begins."
  let requirements: [RequirementID] = ["IMG-5"]
  private let rig: Rig
  private let rounds: Int?

  /// - Parameter rounds: the number of rounds in which all programs take turns; nil for the number of the duration class.
  init(rig: Rig, rounds: Int? = nil) {
    self.rig = rig
    self.rounds = rounds
  }

  /// Shows that a photo that was not turned is distinguished from an upright photo, and that a program that is missing or fails has no
  /// time.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let color = ColorDescription(matrix: .bt601, range: .full)
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 128, height: 96), color: color)
    let seed = context.seed
    return try await onOwnThread {
      let picture = try CodeNoise.picture(format, seed: seed)
      let original = try Original(ReferencePicture(file: Self.tagged(picture)))
      func likeness(_ rotation: Rotation) throws -> Double? {
        let photo = try PhotoPipeline().process(
          picture, orientation: Orientation(rotation: rotation), settings: PhotoSettings())
        return original.likeness(of: photo.bytes, size: format.size)
      }
      guard let upright = try likeness(.clockwise90), let turned = try likeness(.clockwise270),
        upright > turned + 6
      else { return .failed("an upright photo was not distinguished from one that was turned the wrong way") }
      guard try likeness(.none) == nil else {
        return .failed("a photo that was not turned was accepted as upright")
      }
      func peer(_ name: String) -> Peer {
        Peer(name: name, package: "coreutils", arguments: [], versionOption: "--version")
      }
      guard try peer("false").run() == nil, try peer("swiftwing-no-such-peer").version() == nil else {
        return .failed("a program that fails or is not installed was accepted as one that made a photo")
      }
      return .passed(
        "a photo turned the wrong way, or not at all, was distinguished from an upright one; a program "
          + "that fails or is missing has no time"
      )
    }
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported(
        "this scenario compares on a bundled picture, the same on every machine; run it without --source")
    }
    let still = try Corpus.find("stills-12mp", searching: rig.corpusRoots).frame("frames/000002.jpg")
    let folder = try ScratchFolder(in: context.scratchDirectory)
    let bytes = try Self.tagged(try ImageFile.read(still.bytes).image)
    let file = "\(folder.path)/still.jpg"
    try Data(bytes).write(to: URL(filePath: file))
    let size = try PhotoSettings().targetSize(for: ReferencePicture(file: bytes).size)
    let errand = PhotoErrand(still: file, folder: folder.path, size: size)
    let (rig, rounds) = (rig, rounds ?? context.duration.photoRounds)
    return try await onOwnThread {
      let ours = Peer(
        name: "swiftwing", package: "swiftwing",
        arguments: ["photo", file, "--out", errand.photo(by: "swiftwing"), "--replace"],
        versionOption: "--version"
      ).at(rig.viewfinder)
      return try PeerContest(errand: errand, still: bytes, ours: ours, peers: Peer.photo(errand))
        .run(rounds: rounds)
    }
  }

  /// The orientation from stored pixels to upright.
  static let turn = Orientation(rotation: .clockwise90)

  /// Returns a JPEG of the picture that its reader has to turn. If the picture is a JPEG picture, its pixels are kept.
  private static func tagged(_ picture: PixelBuffer) throws -> [UInt8] {
    var settings = PhotoSettings(longSide: nil, orientationMode: .tagged, maximumBytes: nil)
    settings.maximumLongSide = picture.format.size.longSide
    return try PhotoPipeline().process(picture, orientation: turn, settings: settings).bytes
  }
}

extension Original {
  /// Returns the likeness of a photo that must be upright, by luma, in dB.
  /// - Parameter size: the size of the photo before it is turned; programs may differ by a pixel of rounding.
  /// - Returns: nil if the photo has another shape, or no readable pixels.
  func likeness(of photo: [UInt8], size: PixelSize) -> Double? {
    guard let shown = try? ReferencePicture(file: photo).size,
      abs(shown.width - size.height) <= 1, abs(shown.height - size.width) <= 1,
      let comparison = try? PhotoComparison(photo, .jpeg, turned: PeerPhoto.turn, original: self)
    else { return nil }
    return comparison.difference.likeness
  }
}

extension RunDuration {
  /// Number of photos that each program makes.
  fileprivate var photoRounds: Int {
    switch self {
    case .turn, .short: 20
    case .full: 60
    case .soak: 400
    }
  }
}
