import Foundation
import Imagery
import Testing

/// The quality of scaling in the photo pipeline. The output is PNG, so that no codec interferes.
@Suite struct ResamplingTests {
  private func scaled(_ image: PixelBuffer, _ longSide: Int, _ orientation: Orientation = .upright) throws
    -> PixelBuffer
  {
    let settings = PhotoSettings(longSide: longSide, maximumBytes: nil, container: .png)
    let photo = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
    return try ImageFile.read(photo.bytes).image
  }

  /// Flat pictures stay exactly flat, without darkening or a tint.
  @Test(arguments: [PixelFormat.nv12, .i420, .yuyv, .i444, .grey]) func flatStaysFlat(format: PixelFormat)
    throws
  {
    for value: UInt8 in [1, 16, 127, 128, 194, 254] {
      let image = try Pictures.raw(format, 331, 247, .jpeg) { _, _, _ in value }
      let result = try scaled(image, 97)
      let first = Pictures.rgb(result, 0, 0)
      for y in 0..<result.format.size.height {
        for x in 0..<result.format.size.width { #expect(Pictures.rgb(result, x, y) == first) }
      }
      let want = Reference.rgb(image, 0, 0)
      for (want, have) in zip(want, first) { #expect(abs(want - Double(have)) <= 1) }
    }
  }

  /// Luma and chroma stay in place: a linear ramp stays the same ramp in every orientation.
  @Test(
    arguments: Orientation.allCases,
    [(401, 300, 120), (400, 301, 90), (1300, 420, 100), (29, 21, 14), (27, 31, 31)])
  func nothingShifts(orientation: Orientation, shape: (Int, Int, Int)) throws {
    let (width, height, limit) = shape
    let ramp = { (position: Double) in 90 + position * 70 }
    let chroma = { (position: Double) in 85 + position * 85 }
    let image = try Pictures.raw(.nv12, width, height, .jpeg) { plane, x, y in
      if plane == 0 { return UInt8(ramp((Double(x) + 0.5) / Double(width)).rounded()) }
      // Cb varies from top to bottom, Cr from left to right; a chroma sample covers two rows and two columns.
      if x % 2 == 0 { return UInt8(chroma((Double(y) * 2 + 1) / Double(height)).rounded()) }
      return UInt8(chroma(Double(x) / Double(width)).rounded())
    }
    let result = try scaled(image, limit, orientation)
    let stored = orientation.inverse.applied(to: result.format.size)
    for (x, y) in [(stored.width / 4, stored.height / 2), (stored.width * 3 / 4, stored.height / 5)] {
      let place = Reference.place(x, y, stored, orientation)
      let luma = ramp((Double(x) + 0.5) / Double(stored.width))
      let cb = chroma((Double(y) + 0.5) / Double(stored.height))
      let cr = chroma((Double(x) + 0.5) / Double(stored.width))
      let want = Reference.rgb(luma, cb, cr, .jpeg, false)
      for (want, have) in zip(want, Pictures.rgb(result, place.x, place.y)) {
        #expect(abs(want - Double(have)) <= 3, "\(orientation) \(shape)")
      }
    }
  }

  /// The result has a PSNR of at least 37 dB against a Lanczos-3 reference in double precision, on a picture full of detail.
  @Test(arguments: [(640, 480, 164), (600, 450, 307), (900, 300, 230)])
  func isCloseToLanczos(width: Int, height: Int, longSide: Int) throws {
    let scene = { (x: Int, y: Int) -> Double in
      let (x, y) = (Double(x), Double(y))
      let waves = sin(x * 0.19 + y * 0.05) + sin(y * 0.23 - x * 0.07) + sin((x * x + y * y) * 0.0009)
      return 128 + 30 * waves + (Int(x / 23) + Int(y / 31)).isMultiple(of: 2).contrast
    }
    let image = try Pictures.raw(.grey, width, height, .jpeg) { _, x, y in
      UInt8(min(255, max(0, scene(x, y))))
    }
    let result = try scaled(image, longSide)
    let size = result.format.size
    let rows = Lanczos(source: height, destination: size.height)
    let columns = Lanczos(source: width, destination: size.width)
    let half = rows.apply { x, y in Double(image.planes[0].bytes[y * image.planes[0].bytesPerRow + x]) }
    var squares = 0.0
    for x in 0..<size.width {
      for y in 0..<size.height {
        let want = columns.value(x) { half($0, y) }
        let error = min(max(want, 0), 255) - Double(Pictures.rgb(result, x, y)[1])
        squares += error * error
      }
    }
    let psnr = 10 * log10(255 * 255 * Double(size.area) / squares)
    #expect(psnr >= 37, "\(psnr) dB")
  }

  /// A frame with interleaved chroma gives the same photo, byte for byte, as one with separate chroma planes.
  @Test(
    arguments: [PixelFormat.nv12, .nv21],
    [(640, 480, 150), (1284, 964, 300), (1282, 962, 300), (640, 480, 512)])
  func pairsGiveThePhotoOfPlanes(format: PixelFormat, shape: (Int, Int, Int)) throws {
    let (width, height, longSide) = shape
    let sample = { (plane: Int, x: Int, y: Int) in
      UInt8(truncatingIfNeeded: (plane * 31 + x * 3) ^ (y * 5 + x * y / 64))
    }
    let planes = try Pictures.raw(.i420, width, height, .jpeg) { sample($0, $1, $2) }
    let pairs = try Pictures.raw(format, width, height, .jpeg) { plane, x, y in
      plane == 0 ? sample(0, x, y) : sample((x % 2 == 0) == (format == .nv12) ? 1 : 2, x / 2, y)
    }
    for container in PhotoSettings.Container.allCases {
      let settings = PhotoSettings(longSide: longSide, container: container)
      let photos = try [planes, pairs].map {
        try PhotoPipeline().process($0, orientation: Orientation(rotation: .clockwise90), settings: settings)
          .bytes
      }
      let isSame = photos[0] == photos[1]
      #expect(isSame, "\(container)")
    }
  }
}

extension ResamplingTests {
  /// Packed formats give nearly the same photo as planar ones, even if the number of rows is odd.
  @Test(
    arguments: [PixelFormat.yuyv, .yvyu, .uyvy],
    [(640, 480, 150), (640, 479, 150), (1280, 720, 1024), (960, 640, 480)])
  func packedGivesThePhotoOfPlanes(format: PixelFormat, shape: (Int, Int, Int)) throws {
    let (width, height, longSide) = shape
    let sample = { (plane: Int, x: Int, y: Int) in
      let share = plane == 1 ? Double(y) / Double(height) : Double(x) / Double(plane == 0 ? width : width / 2)
      return UInt8(40 + 150 * share)
    }
    let planes = try Pictures.raw(.i422, width, height, .jpeg) { sample($0, $1, $2) }
    let packed = try Pictures.raw(format, width, height, .jpeg) { _, x, y in
      let isLuma = (x % 2 == 0) == (format != .uyvy)
      let isFirst = (x % 4 < 2) == (format != .yvyu)
      return isLuma ? sample(0, x / 2, y) : sample(isFirst ? 1 : 2, x / 4, y)
    }
    let settings = PhotoSettings(longSide: longSide, container: .png)
    let photos = try [planes, packed].map {
      try ImageFile.read(
        PhotoPipeline().process($0, orientation: Orientation(rotation: .clockwise90), settings: settings)
          .bytes
      ).image
    }
    let size = photos[0].format.size
    var most = 0
    for (x, y) in (0..<size.height).flatMap({ y in (0..<size.width).map { ($0, y) } }) {
      let (one, other) = (Pictures.rgb(photos[0], x, y), Pictures.rgb(photos[1], x, y))
      most = zip(one, other).reduce(most) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
    #expect(size == photos[1].format.size)
    #expect(most <= 3)
  }
}

extension Bool {
  fileprivate var contrast: Double { self ? 18 : -18 }
}

/// The textbook Lanczos-3 reduction along one axis.
private struct Lanczos {
  let taps: [[(Int, Double)]]

  init(source: Int, destination: Int) {
    let ratio = Double(source) / Double(destination)
    let kernel = { (x: Double) -> Double in
      guard x != 0 else { return 1 }
      return abs(x) < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
    }
    taps = (0..<destination).map { index in
      let centre = (Double(index) + 0.5) * ratio - 0.5
      let reach = Int(centre - 3 * ratio)...Int(centre + 3 * ratio + 1)
      let raw = reach.map { (min(max($0, 0), source - 1), kernel((Double($0) - centre) / ratio)) }
      let sum = raw.reduce(0) { $0 + $1.1 }
      return raw.map { ($0.0, $0.1 / sum) }
    }
  }

  func value(_ index: Int, _ sample: (Int) -> Double) -> Double {
    taps[index].reduce(0) { $0 + $1.1 * sample($1.0) }
  }

  /// Returns the picture reduced along its columns, computed on demand and cached.
  func apply(_ sample: @escaping (Int, Int) -> Double) -> (Int, Int) -> Double {
    var known: [Int: Double] = [:]
    return { x, y in
      let key = x << 20 | y
      if let value = known[key] { return value }
      let value = self.value(y) { sample(x, $0) }
      known[key] = value
      return value
    }
  }
}
