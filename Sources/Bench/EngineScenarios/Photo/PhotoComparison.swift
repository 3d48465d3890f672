import Capture
import Imagery
import Probes

/// The comparison of a photo with the ideal one: the original turned as its frame says, each pixel the mean of the area that it covers.
struct PhotoComparison {
  enum Kind: CaseIterable {
    case jpeg, tagged, png

    var settings: PhotoSettings {
      PhotoSettings(
        orientationMode: self == .tagged ? .tagged : .baked, maximumBytes: self == .png ? nil : 500_000,
        container: self == .png ? .png : .jpeg)
    }
  }

  let kind: Kind
  let difference: PictureDifference

  /// - Parameters:
  ///   - orientation: the orientation of the photo's frame, from stored pixels to upright.
  ///   - original: the original of the photo's frame.
  /// - Throws: if the file cannot be decoded, or if its shape differs from the original's.
  init(_ photo: Photo, _ kind: Kind, turned orientation: Orientation, original: Original) throws {
    try self.init(photo.bytes, kind, turned: orientation, original: original)
  }

  init(_ photo: [UInt8], _ kind: Kind, turned orientation: Orientation, original: Original) throws {
    let file = try ReferencePicture(file: photo)
    let tag = try Self.tag(in: photo)
    // `shown` is the photo's size as a reader shows it, after applying the tag. `stored` is that size in the original's orientation.
    let shown = tag.rotation.swapsAxes ? file.size.transposed : file.size
    let stored = orientation.rotation.swapsAxes ? shown.transposed : shown
    // An enlarged photo is compared at the size of its original. Other scenarios judge the size of the photo.
    let common = PixelSize(
      width: min(stored.width, original.picture.size.width),
      height: min(stored.height, original.picture.size.height))
    let upright = orientation.rotation.swapsAxes ? common.transposed : common
    let fileSize = tag.rotation.swapsAxes ? upright.transposed : upright
    let seen = file.averaged(to: fileSize).turned(tag)
    let wanted = original.averaged(to: common).turned(orientation)
    guard let difference = PictureDifference(seen, from: wanted) else {
      throw ReferenceError(
        description:
          "cannot compare a photo of \(shown) with a frame of \(original.picture.size); "
          + "report this as a defect")
    }
    self.kind = kind
    self.difference = difference
  }

  /// Returns the orientation in the EXIF block of a JPEG file (EXIF 2.32, tag 0x0112), read without the engine's reader. Upright without a
  /// block, and for PNG, whose pixels the engine always turns.
  private static func tag(in bytes: [UInt8]) throws -> Orientation {
    let mark: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    guard bytes.starts(with: [0xFF, 0xD8]), let start = bytes.prefix(256).firstRange(of: mark)?.upperBound,
      bytes.count > start + 64
    else { return .upright }
    let isBig = bytes[start] == 0x4D
    func number(_ at: Int, _ count: Int) -> Int {
      let part = bytes[start + at..<start + at + count]
      return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    let directory = number(4, 4)
    guard directory < 32 else { return .upright }
    for entry in 0..<min(number(directory, 2), 2) where number(directory + 2 + entry * 12, 2) == 0x0112 {
      return try orientation(number(directory + 10 + entry * 12, 2))
    }
    return .upright
  }

  /// Returns the orientation of EXIF's eight values, by the standard's positions of row 0 and column 0.
  private static func orientation(_ value: Int) throws -> Orientation {
    let table: [(Rotation, Bool)] = [
      (.none, false), (.none, true), (.half, false), (.half, true), (.clockwise270, true),
      (.clockwise90, false),
      (.clockwise90, true), (.clockwise270, false),
    ]
    guard (1...8).contains(value) else {
      throw ReferenceError(
        description:
          "cannot turn a photo by EXIF orientation \(value): EXIF has only 1 to 8; report this as a defect")
    }
    return Orientation(rotation: table[value - 1].0, isMirrored: table[value - 1].1)
  }
}
