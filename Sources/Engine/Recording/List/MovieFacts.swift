import Glibc
package import Imagery

/// The properties of a fragmented video, read without any library: for the list of recordings, and for tests, as a second reader beside
/// FFmpeg.
package struct MovieFacts: Sendable, Equatable {
  package struct Frame: Sendable, Equatable {
    /// The time in nanoseconds since the beginning.
    package var time: Int64
    package var bytes: Range<Int64>
    /// Whether the frame can be decoded without earlier ones.
    package var isKey: Bool
  }

  /// Numbers of ITU-T H.273: 1 is BT.709, 9 is BT.2020.
  package struct ColorTags: Sendable, Equatable {
    package var primaries: Int
    package var transfer: Int
    package var matrix: Int
  }

  /// The codec as the file names it: `mp4v`, `avc1`.
  package var codec = ""
  /// Whether the pictures of `mp4v`, which may hold several codecs, are JPEG.
  private var isJPEG = false
  /// The size of the pictures as they are stored.
  package var size = PixelSize(width: 0, height: 0)
  /// The orientation that makes the pictures upright; nil if the matrix is no quarter-turn.
  package var orientation: Orientation? = .upright
  /// The colour tags by ITU-T H.273; nil if the file has none.
  package var color: ColorTags?
  /// The first frames, at most `frameLimit`; empty if only their number was requested.
  package var frames: [Frame] = []
  package private(set) var frameCount = 0
  /// The duration in nanoseconds, from the first frame to the end of the last.
  package var duration: Int64 = 0
  /// Whether the file ends in the middle of a box.
  package var isCut = false

  /// The largest number of frames to list: ten hours at 60 a second.
  static let frameLimit = 2_160_000
  /// The number of frames after which counting ends: a week at 60 a second.
  static let countLimit = 36_288_000
  /// The largest number of boxes to read beside those of frames, which have two boxes each.
  static let boxLimit = 4 * frameLimit

  private var timescale: UInt64 = 0
  /// The number of frames to list.
  private let kept: Int
  /// The size of the file in bytes.
  private let byteCount: Int64
  private var firstTime: Int64?

  /// - Parameter keepsFrames: whether to list the frames; false only counts them.
  /// - Throws: `malformed` if it is not a video as this module writes it.
  package init(_ path: String, keepsFrames: Bool = true) throws(RecordingError) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    try self.init(BoxReader(descriptor), path, keeping: keepsFrames ? Self.frameLimit : 0)
  }

  /// - Parameter kept: the number of frames to list; further ones are only counted.
  init(_ reader: BoxReader, _ path: String, keeping kept: Int = frameLimit) throws(RecordingError) {
    self.kept = kept
    byteCount = reader.byteCount
    var (offset, others): (Int64, Int) = (0, 0)
    while others < Self.boxLimit, frameCount < Self.countLimit, let box = reader.box(at: offset) {
      let before = frameCount
      switch box.type {
      case "moov": read(movie: reader.content(box))
      case "moof":
        // A fragment without its frames does not count.
        guard let next = reader.box(at: box.content.upperBound), next.type == "mdat" else {
          isCut = true
          break
        }
        read(fragment: reader.content(box), at: offset)
      default: break
      }
      // A fragment with frames makes up for the box that follows with their bytes.
      others += frameCount > before ? -1 : 1
      offset = box.content.upperBound
    }
    isCut = isCut || offset < reader.byteCount
    guard timescale > 0 else {
      throw Self.unreadable(path, "no video track is described before the frames")
    }
  }

  /// The codec as recordings name it; nil if recordings never have it.
  var recordingCodec: RecordingCodec? {
    switch codec {
    case "mp4v": isJPEG ? .mjpeg : nil
    case "jpeg", "mjpg": .mjpeg
    case "avc1", "avc3": .h264
    case "hvc1", "hev1": .hevc
    case "apch": .prores
    case "FFV1": .ffv1
    default: nil
    }
  }

  private static func unreadable(_ path: String, _ reason: String) -> RecordingError {
    RecordingError(
      .malformed, "read the recording \(path)", reason: reason, remedy: "name a video that swiftwing recorded"
    )
  }

  private mutating func read(movie bytes: [UInt8]?) {
    guard let bytes, let track = BoxContent(bytes[...]).first("trak") else { return }
    if let header = track.first("tkhd") { read(trackHeader: header) }
    if var header = track.first("mdia", "mdhd"), let (version, _) = header.fullBox() {
      header.skip(version == 1 ? 16 : 8)
      timescale = header.number(4) ?? 0
    }
    if var entries = track.first("mdia", "minf", "stbl", "stsd") {
      entries.skip(8)
      codec = entries.boxes().first?.type ?? ""
      if let entry = entries.boxes().first?.content { read(sampleEntry: entry) }
    }
  }

  /// Reads a visual sample entry (12.1.3). After its fields come boxes, one of which may have the colours (12.1.5).
  private mutating func read(sampleEntry content: BoxContent) {
    var content = content
    content.skip(78)
    if let stream = content.first("esds") { isJPEG = stream.elementaryStreamKind == 0x6C }
    guard var tags = content.first("colr"), tags.number(4) != nil, let primaries = tags.number(2),
      let transfer = tags.number(2), let matrix = tags.number(2)
    else { return }
    color = ColorTags(primaries: Int(primaries), transfer: Int(transfer), matrix: Int(matrix))
  }

  private mutating func read(trackHeader content: BoxContent) {
    var content = content
    guard let (version, _) = content.fullBox() else { return }
    content.skip(version == 1 ? 32 : 20)
    content.skip(16)
    let matrix = (0..<9).compactMap { _ in content.integer() }
    orientation = Orientation(displayMatrix: matrix)
    if let width = content.number(4), let height = content.number(4) {
      size = PixelSize(width: Int(width >> 16), height: Int(height >> 16))
    }
  }

  /// Reads a `moof` with one track (8.8.4): `tfhd` has the common values of its frames, `tfdt` the time of the first, `trun` those of each.
  private mutating func read(fragment bytes: [UInt8]?, at offset: Int64) {
    guard let bytes, timescale > 0, let track = BoxContent(bytes[...]).first("traf"),
      var header = track.first("tfhd"), let (_, flags) = header.fullBox()
    else { return }
    header.skip(4)
    var start = offset
    if flags & 1 != 0 { start = Int64(clamping: header.number(8) ?? 0) }
    if flags & 2 != 0 { header.skip(4) }
    let duration = flags & 8 != 0 ? header.number(4) : nil
    let size = flags & 0x10 != 0 ? header.number(4) : nil
    let sampleFlags = flags & 0x20 != 0 ? header.number(4) : nil
    var time: UInt64 = 0
    if var decode = track.first("tfdt"), let (version, _) = decode.fullBox() {
      time = decode.number(version == 1 ? 8 : 4) ?? 0
    }
    guard let run = track.first("trun") else { return }
    let defaults = FrameDefaults(duration: duration, size: size, flags: sampleFlags)
    read(run: run, from: start, time, defaults)
  }

  private struct FrameDefaults {
    var duration: UInt64?
    var size: UInt64?
    var flags: UInt64?
  }

  private mutating func read(
    run content: BoxContent, from start: Int64, _ begin: UInt64, _ defaults: FrameDefaults
  ) {
    var (content, time, place) = (content, begin, start)
    guard let (_, flags) = content.fullBox(), let count = content.number(4), start < 1 << 53 else { return }
    if flags & 1 != 0 { place += Int64(content.integer() ?? 0) }
    guard place >= 0 else { return }
    let firstFlags = flags & 4 != 0 ? content.number(4) : nil
    for index in 0..<min(count, 1_000) {
      let duration = flags & 0x100 != 0 ? content.number(4) : defaults.duration
      let size = flags & 0x200 != 0 ? content.number(4) : defaults.size
      let own = flags & 0x400 != 0 ? content.number(4) : nil
      if flags & 0x800 != 0 { content.skip(4) }
      // Thirty years are certainly enough, and fit into nanoseconds.
      guard let duration, let size, time / timescale < 1_000_000_000 else { return }
      let sample = (index == 0 ? firstFlags : nil) ?? own ?? defaults.flags ?? 0
      let end = place + Int64(size)
      // A frame must have bytes, and they must be in the file.
      guard size > 0, end <= byteCount else {
        isCut = true
        return
      }
      let begins = nanoseconds(time)
      let first = firstTime ?? begins
      firstTime = first
      frameCount += 1
      if frames.count < kept {
        frames.append(Frame(time: begins, bytes: place..<end, isKey: sample & 0x10000 == 0))
      }
      time += duration
      place = end
      // In a file from another program, times may go back.
      self.duration = max(self.duration, nanoseconds(time) - first)
    }
  }

  private func nanoseconds(_ ticks: UInt64) -> Int64 {
    Int64((Double(ticks) / Double(timescale) * 1e9).rounded())
  }
}
