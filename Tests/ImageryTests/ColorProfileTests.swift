import CTurboJPEG
import Foundation
import Testing

@testable import Imagery

/// Pictures in other colour spaces are converted to sRGB. Pictures in sRGB stay unchanged, bit for bit.
@Suite struct ColorProfileTests {
  private static let size = PixelSize(width: 64, height: 64)

  /// Returns a picture of one colour.
  private static func flat(_ color: [UInt8], sampling: TJSAMP = TJSAMP_420, layout: TJPF = TJPF_RGB) throws
    -> [UInt8]
  {
    let pixels = Array(Array(repeating: color, count: size.area).joined())
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var (out, count) = (nil as UnsafeMutablePointer<UInt8>?, UInt(0))
    let status = tjCompress2(
      handle, pixels, Int32(size.width), 0, Int32(size.height), layout.turboJPEG, &out, &count,
      Int32(sampling.rawValue), 100, 0)
    defer { tjFree(out) }
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: out, count: Int(count)))
  }

  /// Returns the colour in the middle of a file's photo.
  private func color(_ bytes: [UInt8], notes: Int = 0) throws -> [Int] {
    let (image, orientation, remarks) = try ImageFile.read(bytes)
    let photo = try PhotoPipeline().process(
      image, orientation: orientation, settings: PhotoSettings(quality: 100))
    #expect(remarks.count + photo.notes.count == notes, "\(remarks + photo.notes)")
    // The preview must show the colour that the photo has.
    let shown = try Pictures.surface(8, 8)
    try PreviewRenderer().render(image, orientation: .upright, into: shown)
    let converter = ImageConverter(pool: PixelBufferPool())
    let middle = Pictures.rgb(
      try converter.convert(ImageFile.read(photo.bytes).image, to: .bgra, color: .jpeg), 32, 32)
    #expect(zip(middle, Pictures.rgb(shown, 4, 4)).allSatisfy { abs($0 - $1) <= 2 })
    return middle
  }

  private func isClose(_ one: [Int], _ other: [Int], _ most: Int = 2) -> Bool {
    zip(one, other).allSatisfy { abs($0 - $1) <= most }
  }

  /// The expected values are LittleCMS's with perceptual intent. The colour 230, 30, 30 in Display P3 lies outside sRGB.
  @Test(arguments: [(1, false), (3, false), (3, true)]) func displayP3(parts: Int, reversed: Bool) throws {
    let profile = Profiles.rgb(Profiles.displayP3)
    let bytes = Profiles.jpeg(try Self.flat([230, 30, 30]), profile, parts: parts, reversed: reversed)
    let seen = try color(bytes)
    #expect(isClose(seen, [251, 0, 0]), "\(seen)")
    let neutral = try color(Profiles.jpeg(try Self.flat([120, 120, 120]), profile))
    #expect(isClose(neutral, [120, 120, 120]), "\(neutral)")
  }

  /// The profile swaps the channels, so a reader that ignores it shows other colours.
  @Test func channelsThatChangedPlaces() throws {
    let columns = [Profiles.sRGB[1], Profiles.sRGB[2], Profiles.sRGB[0]]
    let seen = try color(Profiles.jpeg(try Self.flat([200, 60, 20]), Profiles.rgb(columns)))
    #expect(isClose(seen, [20, 200, 60], 3), "\(seen)")
  }

  @Test func anotherCurve() throws {
    let profile = Profiles.rgb(Profiles.sRGB, curve: Profiles.power(1))
    let seen = try color(Profiles.jpeg(try Self.flat([55, 55, 55]), profile))
    // The code is 55/255 of the light, because the curve is linear.
    #expect(isClose(seen, [128, 128, 128], 3), "\(seen)")
  }

  /// A picture with an sRGB profile is not converted, and its encoding is preserved.
  @Test func sRGBCostsNothing() throws {
    let plain = try Self.flat([230, 30, 30])
    let bytes = Profiles.jpeg(plain, Profiles.rgb(Profiles.sRGB))
    let made = try [plain, bytes].map {
      try PhotoPipeline().process(ImageFile.read($0).image, orientation: .upright, settings: PhotoSettings())
    }
    #expect(made[0].bytes == made[1].bytes && made[1].isEncodingPreserved)
    #expect(ImageFile.isPlain(bytes) && ImageFile.isPlain(plain))
    #expect(!ImageFile.isPlain(Profiles.jpeg(plain, Profiles.rgb(Profiles.displayP3))))
    #expect(!ImageFile.isPlain([0xFF, 0xD8] + plain))
    #expect(Profiles.rgb(Profiles.sRGB).withUnsafeBytes { ICCProfile($0)?.isSRGB } == true)
    #expect(Profiles.rgb(Profiles.displayP3).withUnsafeBytes { ICCProfile($0)?.isSRGB } == false)
    #expect(
      Profiles.rgb(Profiles.sRGB, curve: Profiles.power(2.2)).withUnsafeBytes { ICCProfile($0)?.isSRGB }
        == false)
  }

  @Test func greyPictures() throws {
    let grey = try Self.flat([55], sampling: TJSAMP_GRAY, layout: TJPF_GRAY)
    let seen = try color(Profiles.jpeg(grey, Profiles.grey(1)))
    #expect(isClose(seen, [128, 128, 128], 3), "\(seen)")
    let ofColors = try color(Profiles.jpeg(grey, Profiles.rgb(Profiles.sRGB, curve: Profiles.power(1))))
    #expect(isClose(ofColors, [128, 128, 128], 3), "\(ofColors)")
  }

  /// A damaged profile, or one for another kind of pixels, gives a note and is ignored.
  @Test func whatIsNoProfileIsANote() throws {
    let plain = try Self.flat([230, 30, 30])
    let whole = Profiles.rgb(Profiles.displayP3)
    var lying = whole
    lying.replaceSubrange(128..<132, with: [0xFF, 0xFF, 0xFF, 0xFF])
    var outside = whole
    for tag in 0..<7 {
      outside.replaceSubrange(136 + tag * 12..<140 + tag * 12, with: [0x7F, 0xFF, 0xFF, 0])
    }
    var bad: [[UInt8]] = [Array(whole.prefix(100)), Array(repeating: 7, count: 500), lying, outside]
    bad += [Profiles.grey(2), Profiles.profile("CMYK", []), Profiles.profile("RGB ", [])]
    for profile in bad {
      let seen = try color(Profiles.jpeg(plain, profile), notes: 1)
      #expect(isClose(seen, [230, 30, 30]), "\(seen)")
    }
    var missing = Profiles.jpeg(plain, whole, parts: 3)
    let second = try #require(
      missing.indices.first { missing[$0...].starts(with: Array("ICC_PROFILE\0".utf8) + [2]) })
    missing[second] = UInt8(ascii: "X")
    #expect(isClose(try color(missing, notes: 1), [230, 30, 30]))
  }

  /// Cameras set to Adobe RGB mark their pictures by the interoperability index R03 in EXIF.
  @Test func theIndexOfAdobeRGB() throws {
    var tiff = [UInt8]("MM".utf8)
    tiff += [0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
    tiff += [0, 2, 0xA0, 0x01, 0, 3, 0, 0, 0, 1, 0xFF, 0xFF, 0, 0, 0xA0, 0x05, 0, 4, 0, 0, 0, 1, 0, 0, 0, 56]
    tiff += [0, 0, 0, 0, 0, 1, 0, 1, 0, 2, 0, 0, 0, 4]
    tiff += [UInt8]("R03\0".utf8)
    tiff += [0, 0, 0, 0]
    var segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(tiff.count + 8)]
    segment += [UInt8]("Exif\0\0".utf8)
    segment += tiff
    let plain = try Self.flat([100, 200, 100])
    let seen = try color(Array(plain.prefix(2)) + segment + Array(plain.dropFirst(2)))
    // The expected value, computed separately from the primaries and curves of both spaces: 0, 201.3, 92.4.
    #expect(isClose(seen, [0, 201, 92], 3), "\(seen)")
    var ordinary = segment
    let index = try #require(ordinary.indices.first { ordinary[$0...].starts(with: Array("R03".utf8)) })
    ordinary[index + 1] = UInt8(ascii: "9")
    #expect(
      isClose(try color(Array(plain.prefix(2)) + ordinary + Array(plain.dropFirst(2))), [100, 200, 100]))
  }

  /// CMYK inks are stored inverted, with or without Adobe's marker.
  @Test func inksWithoutAMarker() throws {
    let marked = try Self.flat([55, 55, 55, 55], sampling: TJSAMP_444, layout: TJPF_CMYK)
    #expect(isClose(try color(marked), [12, 12, 12]))
    // Without the marker the same codes are YCbCr: luma 55 and chroma 128 give cyan, magenta and yellow.
    let bare = EncodedJPEG.without(0xEE, marked)
    let seen = try color(bare)
    #expect(isClose(seen, [43, 28, 28], 3), "\(seen)")
  }

  /// With the profile, half of the black ink gives half of the lightness: L* 50 is 119 in sRGB. Without the profile, it gives half
  /// of the code.
  @Test func inksOfAProfile() throws {
    let half = try Self.flat([255, 255, 255, 128], sampling: TJSAMP_444, layout: TJPF_CMYK)
    #expect(isClose(try color(half), [128, 128, 128]))
    let seen = try color(Profiles.jpeg(half, Profiles.inks()))
    #expect(isClose(seen, [119, 119, 119], 3), "\(seen)")
    let cyan = try color(
      Profiles.jpeg(
        try Self.flat([0, 255, 255, 255], sampling: TJSAMP_444, layout: TJPF_CMYK), Profiles.inks()))
    // The profile gives L* 73.3 for this ink, which is 180 in sRGB.
    #expect(isClose(cyan, [180, 180, 180], 3), "\(cyan)")
  }

  @Test(.enabled(if: Pictures.hasData("strangers"))) func strangersPictures() throws {
    for (name, wanted) in [("icc_p3.jpg", [251, 0, 0]), ("cmyk_noadobe.jpg", [230, 30, 30])] {
      let image = try ImageConverter(pool: PixelBufferPool())
        .convert(ImageFile.read(Pictures.bytes("strangers/\(name)")).image, to: .bgra, color: .jpeg)
      let seen = Pictures.rgb(image, 20, 20)
      #expect(isClose(seen, wanted, 3), "\(name): \(seen)")
    }
  }
}
