import Glibc
import Imagery

@testable import Recording

extension FuzzTarget {
  static let films = [film]

  /// Reads an MP4 file, as from a folder of recordings.
  private static let film = FuzzTarget(
    name: "film", longest: 8192, seeds: [fragment(moov) + fragment(moof) + fragment(mdat)]
  ) {
    bytes in
    var path = Array("/dev/shm/film-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { return }
    unlink(path)
    defer { close(file) }
    guard write(file, bytes.baseAddress, bytes.count) == bytes.count || bytes.isEmpty else { return }
    guard let facts = try? MovieFacts(BoxReader(file), "film") else { return }
    let counted = try? MovieFacts(BoxReader(file), "film", keeping: 0)
    hold(counted?.frameCount == facts.frames.count, "frames that are only counted are others")
    hold(facts.duration >= 0, "the duration is below nothing")
    hold(facts.frames.count <= bytes.count * 1_000, "there are more frames than the file can describe")
    hold(
      facts.frames.allSatisfy { $0.time >= 0 && $0.bytes.lowerBound >= 0 }, "a frame is before the beginning")
  }

  private static func fragment(_ box: (type: StaticString, content: [UInt8])) -> [UInt8] {
    let size = UInt32(box.content.count + 8)
    return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - $0 * 8)) } + [UInt8](box.type) + box.content
  }

  private static let moov = (
    type: "moov" as StaticString,
    content: fragment(
      (
        "trak",
        fragment(("tkhd", [UInt8](repeating: 0, count: 84)))
          + fragment(
            ("mdia", fragment(("mdhd", [UInt8](repeating: 0, count: 14) + [3, 232] + [0, 0, 0, 0]))))
      ))
  )

  private static let moof = (
    type: "moof" as StaticString,
    content: fragment(
      (
        "traf",
        fragment(("tfhd", [0, 0, 0, 0x38, 0, 0, 0, 1, 0, 0, 0, 33, 0, 0, 0, 4, 0, 0, 0, 0]))
          + fragment(("tfdt", [1, 0, 0, 0] + [UInt8](repeating: 0, count: 8)))
          + fragment(("trun", [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 88]))
      ))
  )

  private static let mdat = (type: "mdat" as StaticString, content: [1, 2, 3, 4] as [UInt8])
}
