import CLittleCMS

/// Converts pixels to sRGB with LittleCMS, which is loaded when the first picture needs it.
final class ColorConversion {
  /// The reason why there is no conversion.
  enum Failure: Error {
    /// LittleCMS cannot be loaded.
    case noLibrary(String)
    /// The library cannot use the profile.
    case damaged
  }

  /// Whether input and output have one byte per pixel.
  let isOfGrey: Bool
  private let transform: OpaquePointer
  private let api: OpaquePointer

  private static let library: Result<Library, Failure> = {
    var reason = [CChar](repeating: 0, count: 256)
    if let api = littlecms_load(&reason, reason.count) { return .success(Library(api: api)) }
    return .failure(
      .noLibrary(String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)))
  }()

  /// `@unchecked Sendable`: a table of functions that is never written again, and never freed.
  private struct Library: @unchecked Sendable { let api: OpaquePointer }

  /// - Parameters:
  ///   - profile: the profile of the pixels.
  ///   - space: the profile's colour space.
  convenience init(_ profile: UnsafeRawBufferPointer, _ space: ICCProfile.Space) throws(Failure) {
    let pixels =
      switch space {
      case .grey: littlecms_grey
      case .rgb: littlecms_bgra
      case .inks: littlecms_inverted_cmyk
      }
    try self.init(isOfGrey: space == .grey) {
      littlecms_of_profile($0, profile.baseAddress, UInt32(profile.count), pixels)
    }
  }

  /// Creates a conversion from a colour space given by its primaries.
  /// - Parameter gamma: 0 for the curve of sRGB.
  convenience init(_ primaries: ColorPrimaries, gamma: Double) throws(Failure) {
    try self.init(isOfGrey: false) { library in
      primaries.places.withUnsafeBufferPointer { littlecms_of_primaries(library, $0.baseAddress, gamma) }
    }
  }

  private init(
    isOfGrey: Bool, _ make: (OpaquePointer) -> OpaquePointer?
  ) throws(Failure) {
    self.isOfGrey = isOfGrey
    api = try Self.library.get().api
    guard let made = make(api) else { throw .damaged }
    transform = made
  }

  deinit { littlecms_close(api, transform) }

  /// Converts four bytes per pixel in place: BGRA, or inks that become BGRA. For a grey profile, the three colours of each pixel must be equal.
  func apply(to plane: Plane, width: Int) {
    if isOfGrey { return applyGreys(to: plane, width) }
    for row in 0..<plane.height {
      littlecms_apply(api, transform, plane.row(row), plane.row(row), UInt32(width))
    }
  }

  private func applyGreys(to plane: Plane, _ width: Int) {
    let greys = greys
    for row in 0..<plane.height {
      let line = plane.row(row)
      for place in 0..<width * 4 where place & 3 != 3 { line[place] = greys[Int(line[place])] }
    }
  }

  /// The new code for each grey code, also for an RGB profile.
  private(set) lazy var greys: [UInt8] = {
    let width = isOfGrey ? 1 : 4
    var pixels = (0..<256 * width).map { UInt8($0 / width) }
    pixels.withUnsafeMutableBytes { littlecms_apply(api, transform, $0.baseAddress, $0.baseAddress, 256) }
    return stride(from: isOfGrey ? 0 : 1, to: pixels.count, by: width).map { pixels[$0] }
  }()
}

/// The chromaticities of white, red, green and blue (CIE 1931 x and y).
struct ColorPrimaries: Equatable {
  /// Eight numbers: x and y of white, red, green and blue.
  var places: [Double]

  static let sRGB = ColorPrimaries(places: [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06])
  /// Adobe RGB (1998), whose curve is a power of 563/256.
  static let adobeRGB = ColorPrimaries(places: [0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06])
  static let adobeGamma = 563.0 / 256

  /// Whether these primaries and `other` are equal except for rounding.
  func isClose(to other: ColorPrimaries) -> Bool {
    zip(places, other.places).allSatisfy { abs($0 - $1) < 0.004 }
  }

  /// Whether white and the triangle of primaries are roughly within the visible colours.
  var isSound: Bool {
    places.allSatisfy { $0 >= 0 && $0 <= 1 } && [1, 3, 5, 7].allSatisfy { places[$0] > 0.001 }
  }
}

extension ColorConversion.Failure {
  /// A sentence for the user.
  var note: String {
    switch self {
    case .damaged: "The colour profile of the picture is damaged; its colours are treated as sRGB."
    case .noLibrary(let reason):
      "The colour profile of the picture was not applied, because LittleCMS cannot be loaded: \(reason)."
    }
  }
}
