import Capture
import Corpora
import EngineScenarios
import Harness
import Imagery
import Probes

extension CountedPath {
  /// Photos, previews and looks of bundled pictures.
  static let pixels: [CountedPath] = photos + previews + looks + raw

  // MARK: Photos

  private static let photos: [CountedPath] = [
    photo("mjpg-4000x3000") { try $0.still() },
    photo("mjpg-1280x720", count: 4) { try $0.webcam() },
    photo("nv12-4000x3000") { try $0.still(as: .nv12) },
    photo("yuyv-1280x720", count: 4) { try $0.webcam(as: .yuyv) },
  ]

  private static func photo(
    _ name: String, count: Int = 1, _ frame: @escaping @Sendable (Rig) throws -> PixelBuffer
  ) -> CountedPath {
    CountedPath(id: "photo.\(name)", title: "A photo of \(name), turned", unit: "photo", group: .pixels) {
      rig, counter in
      let (frame, pipeline) = (try frame(rig), rig.makePhotoPipeline())
      let turned = Orientation(rotation: .clockwise90)
      try counter.count(count) {
        for _ in 0..<count {
          _ = try pipeline.process(frame, orientation: turned, settings: PhotoSettings())
        }
      }
    } floor: { rig, counter in
      let frame = try frame(rig)
      let pipeline = try FloorPipeline(longest: frame.format.size)
      try counter.count(count) { for _ in 0..<count { _ = try pipeline.photo(of: frame) } }
    }
  }

  // MARK: Previews

  /// Every uncompressed format that a bundled picture can be converted to, and JPEG, upright; NV12 and JPEG also turned, which
  /// load pixels in different ways.
  private static let previews: [CountedPath] =
    PixelFormat.allCases.filter { !$0.isCompressed && $0.isPlayed }.map { preview($0, isTurned: false) }
    + [preview(.mjpeg, isTurned: false), preview(.nv12, isTurned: true), preview(.mjpeg, isTurned: true)]

  private static func preview(_ format: PixelFormat, isTurned: Bool) -> CountedPath {
    let name = format.rawValue.lowercased() + (isTurned ? "-turned" : "")
    var path = CountedPath(
      id: "preview.\(name)", title: "A picture of the preview, of \(name)", unit: "picture", group: .pixels
    ) { rig, counter in
      let (frame, renderer) = (try rig.webcam(in: format), PreviewRenderer())
      let upright = frame.format.size
      let surface = try PixelBufferPool().makeBuffer(
        ImageFormat(pixelFormat: .bgra, size: isTurned ? upright.transposed : upright, color: .jpeg))
      let orientation = isTurned ? Orientation(rotation: .clockwise90) : .upright
      try counter.count(2) {
        for _ in 0..<2 { try renderer.render(frame, orientation: orientation, into: surface) }
      }
    }
    if format == .nv12 || format == .mjpeg && !isTurned {
      path.floor = { rig, counter in
        let floor = try PreviewFloor(frame: rig.webcam(in: format), isTurned: isTurned)
        try counter.count(2) {
          for _ in 0..<2 where !floor.draw() {
            throw Unsupported("the C code for \(name) draws nothing; report this as a defect")
          }
        }
      }
    }
    return path
  }

  // MARK: Looks

  private static let looks = [
    CountedPath(id: "look.bgra", title: "A look on a picture", unit: "picture", group: .pixels) {
      rig, counter in
      let look = try ColorLookup(cube: ReferenceLook.measured.file)
      let picture = try rig.webcam(as: .bgra)
      try counter.count(1) { try look.apply(to: picture) }
    } floor: { rig, counter in
      let (floor, picture) = (try LookupFloor(.measured), try rig.webcam(as: .bgra))
      counter.count(1) { floor.apply(to: picture) }
    },
    CountedPath(
      id: "convert.nv12-yu12", title: "A frame of NV12 into planes", unit: "frame", group: .pixels
    ) { rig, counter in
      let (frame, converter) = (try rig.webcam(as: .nv12), ImageConverter(pool: PixelBufferPool()))
      try counter.count(4) {
        for _ in 0..<4 { _ = try converter.convert(frame, to: .i420, color: .jpeg) }
      }
    },
  ]
}

// Sensors' own samples.
extension CountedPath {
  private static let raw = [
    unpacking("raw10-words", RawPacking(bits: 10, .lowWords)),
    unpacking("raw12-packed", RawPacking(bits: 12, .csi2)),
  ]

  private static func unpacking(_ name: String, _ packing: RawPacking) -> CountedPath {
    CountedPath(
      id: "convert.\(name)", title: "A frame of a sensor's samples, \(name), to 8 bits", unit: "frame",
      group: .pixels
    ) { _, counter in
      let (size, pool) = (PixelSize(width: 1280, height: 720), PixelBufferPool())
      // A grey picture whose rows are as long as those of the samples.
      let rows = PixelSize(width: packing.bytesPerRow(size.width), height: size.height)
      let samples = try pool.makeBuffer(ImageFormat(pixelFormat: .grey, size: rows, color: .jpeg))
      for index in 0..<samples.planes[0].byteCount {
        let byte = UInt8(truncatingIfNeeded: index &* 7)
        samples.planes[0].base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      let frame = try pool.makeBuffer(ImageFormat(pixelFormat: .bayerRGGB, size: size, color: .jpeg))
      let unpacking = RawUnpacking(packing, isLinear: true)
      counter.count(2) {
        for _ in 0..<2 { unpacking.unpack(samples.planes[0], size, into: frame.planes[0]) }
      }
    }
  }
}

extension PixelFormat {
  /// Whether frames of the format can be made from a bundled picture.
  fileprivate var isPlayed: Bool {
    switch self {
    case .nv12, .nv21, .nv16, .i420, .yv12, .i422, .yuyv, .yvyu, .uyvy, .bgra, .rgba, .rgb24, .bgr24,
      .bayerRGGB:
      true
    default: false
    }
  }
}

extension Rig {
  /// A still of 4000×3000 pixels, JPEG 4:2:0.
  fileprivate func still() throws -> PixelBuffer { try picture("stills-12mp", "frames/000002.jpg") }
  /// A webcam frame of 1280×720 pixels, JPEG.
  fileprivate func webcam() throws -> PixelBuffer { try picture("shelf-pan", "frames/000100.jpg") }

  fileprivate func still(as format: PixelFormat) throws -> PixelBuffer {
    try converted(still(), format)
  }

  fileprivate func webcam(as format: PixelFormat) throws -> PixelBuffer {
    try converted(webcam(), format)
  }

  /// Returns a webcam frame in a format, without a conversion for JPEG.
  fileprivate func webcam(in format: PixelFormat) throws -> PixelBuffer {
    try format == .mjpeg ? webcam() : webcam(as: format)
  }

  private func converted(_ picture: PixelBuffer, _ format: PixelFormat) throws -> PixelBuffer {
    let color = format.carriesRGB ? ColorDescription.jpeg : ColorDescription(matrix: .bt601, range: .limited)
    return try ImageConverter(pool: PixelBufferPool()).convert(picture, to: format, color: color)
  }

  private func picture(_ corpus: String, _ file: String) throws -> PixelBuffer {
    try ImageFile.read(Corpus.find(corpus, searching: corpusRoots).frame(file).bytes).image
  }
}
