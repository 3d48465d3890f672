import Capture
import Harness
import Imagery
import Probes

import struct Foundation.Data

/// IMG-6: no photo is larger than 1920 pixels, whatever was requested.
struct PhotoCeiling: Scenario {
  let id = "photo.ceiling"
  let suite = Suite.photo
  let title = "The ceiling of 1920 pixels"
  let purpose =
    "A model reads nothing more beyond 1920 pixels, and larger photos take minutes to upload over a poor network."
  let exampleFailure =
    "A photo path that sends the 12 megapixels of the sensor unreduced if full size is requested."
  let requirements: [RequirementID] = ["IMG-6"]
  private let rig: Rig
  private let frames: [PixelSize]

  init(rig: Rig) { self.init(rig: rig, frames: Self.frames) }

  /// - Parameter frames: the sizes of the camera's pictures.
  init(rig: Rig, frames: [PixelSize]) {
    self.rig = rig
    self.frames = frames
  }

  private static let frames = [
    PixelSize(width: 4000, height: 3000), PixelSize(width: 3000, height: 4000),
    PixelSize(width: 1922, height: 1080), PixelSize(width: 1280, height: 720),
  ]

  /// The ceiling of IMG-6, in pixels.
  private static let ceiling = 1920

  private struct Wish {
    let name: String
    let title: String
    let settings: PhotoSettings
    /// Whether the photo must be as large as the ceiling allows, instead of at most that large.
    let isFull: Bool
  }

  private static var wishes: [Wish] {
    let budget = PhotoSettings.TokenBudget(profile: TokenProfile.all[0], maxTokens: 1_000_000)
    func photo(
      _ longSide: Int?, budget: PhotoSettings.TokenBudget? = nil, _ container: PhotoSettings.Container = .jpeg
    ) -> PhotoSettings {
      PhotoSettings(longSide: longSide, tokenBudget: budget, maximumBytes: nil, container: container)
    }
    var bounded = PhotoSettings(longSide: 4096)
    bounded.orientationMode = .tagged
    return [
      Wish(name: "full", title: "full size", settings: photo(nil), isFull: true),
      Wish(name: "larger", title: "4096 pixels", settings: photo(4096), isFull: true),
      Wish(name: "just-above", title: "1921 pixels", settings: photo(1921), isFull: true),
      Wish(name: "budget", title: "a million tokens", settings: photo(nil, budget: budget), isFull: false),
      Wish(name: "tagged", title: "4096 pixels, tagged, 500 kB", settings: bounded, isFull: false),
    ]
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let frame = try Self.drawn(PixelSize(width: 2560, height: 1440))
    let photo = try Rig(fault: .exceedsCeiling, viewfinder: "").makePhotoPipeline().process(
      frame, orientation: .upright, settings: Self.wishes[0].settings)
    guard Self.mistake(photo.size, of: frame.format.size, isFull: true) != nil,
      Self.mistake(PixelSize(width: 1024, height: 576), of: frame.format.size, isFull: true) != nil,
      Self.mistake(PixelSize(width: 1920, height: 1200), of: frame.format.size, isFull: true) != nil
    else { return .failed("a photo of \(photo.size) was accepted as one of at most 1920 pixels") }
    return .passed(
      "photos of \(photo.size), 1024×576 and 1920×1200 were told from what 2560×1440 may become at most")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation()
    let pipeline = rig.makePhotoPipeline()
    for size in frames {
      let (width, height) = (size.width, size.height)
      let frame = try Self.drawn(size)
      for wish in Self.wishes {
        try Task.checkCancellation()
        let photo = try pipeline.process(frame, orientation: .upright, settings: wish.settings)
        let stored = try ImageFile.read(photo.bytes).image.format.size
        let mistake =
          Self.mistake(stored, of: frame.format.size, isFull: wish.isFull)
          ?? (stored == photo.storedSize ? nil : "the file is \(stored) and says \(photo.storedSize)")
        observation.checks.append(
          Check(
            id: "\(id).\(width)x\(height).\(wish.name)",
            title: "\(frame.format.size), requested \(wish.title): at most 1920 pixels",
            passed: mistake == nil,
            subjects: 1, detail: mistake ?? "\(stored), \(photo.bytes.count / 1000) kB", requirement: "IMG-6")
        )
      }
    }
    return observation
  }

  /// Returns what is wrong with the size of a photo of an upright picture. Nil if nothing is. The aspect may be off by the rounding of the short
  /// side.
  static func mistake(_ size: PixelSize, of source: PixelSize, isFull: Bool) -> String? {
    if size.longSide > ceiling { return "it is \(size), beyond \(ceiling) pixels" }
    if isFull, size.longSide < min(ceiling, source.longSide) {
      return "it is \(size), smaller than it may be"
    }
    let short = Double(source.shortSide) * Double(size.longSide) / Double(source.longSide)
    guard abs(Double(size.shortSide) - short) <= 1,
      (size.width >= size.height) == (source.width >= source.height)
    else { return "it is \(size), of another shape than \(source)" }
    return nil
  }

  /// Returns a picture as from a camera of that size: NV12, grey from dark to light.
  private static func drawn(_ size: PixelSize) throws -> PixelBuffer {
    let picture = try PixelBufferPool().makeBuffer(
      ImageFormat(
        pixelFormat: .nv12, size: size, color: ColorDescription(matrix: .bt709, range: .limited)))
    for (index, plane) in picture.planes.enumerated() {
      for row in 0..<plane.height {
        let level = index == 0 ? UInt8(40 + 160 * row / plane.height) : 128
        (plane.base + row * plane.bytesPerRow).initializeMemory(
          as: UInt8.self, repeating: level, count: plane.bytesPerRow)
      }
    }
    return picture
  }
}
