import CLibAV
import Glibc
import Imagery

/// A fragmented MP4 or QuickTime file by libavformat: one fragment per frame, written when the next frame has come.
final class MovieTrack: RecordingTrack {
  private let plan: MoviePlan
  private let file: MovieFile
  private let library: LibAV
  private let movie: OpaquePointer
  private let pictures: MoviePictures
  private let judge = JPEGJudge()
  /// Times of the last frame and the last key frame in microseconds; a file's times must grow.
  private var (lastTime, lastKey): (Int64, Int64) = (-1, 0)
  private let halfInterval: Int64
  private(set) var hasReencoded = false

  /// - Parameters:
  ///   - container: `mp4` or `mov`.
  ///   - interval: the nominal time between two frames.
  /// - Throws: the errors of `LibAV`; `settings` if the container does not support the codec.
  init(
    _ plan: MoviePlan, _ settings: RecordingSettings, file: MovieFile, container: String,
    interval: FrameInterval, created: String?
  ) throws(RecordingError) {
    library = try LibAV.load()
    self.plan = plan
    self.file = file
    pictures = MoviePictures(plan, settings)
    halfInterval = interval.nanoseconds / 2000
    movie = try Self.begin(
      library, plan, settings: settings, file: file, container: container, interval: interval,
      created: created)
  }

  deinit { libav_free(movie) }

  private static func begin(
    _ library: LibAV, _ plan: MoviePlan, settings: RecordingSettings, file: MovieFile,
    container: String, interval: FrameInterval, created: String?
  ) throws(RecordingError) -> OpaquePointer {
    guard !plan.codec.needsMOV || container == "mov" else {
      throw RecordingError(
        .settings, "record to \(file.path)",
        reason: "an MP4 file cannot hold \(plan.codec.rawValue)",
        remedy: "name a file that ends in .mov, or choose h264")
    }
    var encoder: String?
    if case .encoded(let name) = plan.way { encoder = name }
    let preset = plan.codec == .hevc ? "ultrafast" : "superfast"
    let texts: [UnsafeMutablePointer<CChar>?] = [container, encoder, preset, created].map { text in
      text.flatMap { strdup($0) }
    }
    defer { for text in texts { free(text) } }
    let matrix = plan.tagged == .upright ? nil : plan.tagged.displayMatrix(plan.size)
    var made: OpaquePointer?
    let code = (matrix ?? []).withUnsafeBufferPointer { matrix in
      var options = plan.options(settings, interval)
      options.container = UnsafePointer(texts[0])
      options.encoder = UnsafePointer(texts[1])
      options.preset = UnsafePointer(texts[2])
      options.created = UnsafePointer(texts[3])
      options.display_matrix = matrix.isEmpty ? nil : matrix.baseAddress
      return libav_begin(library.api, &options, file.descriptor, &made)
    }
    if let made, code == 0 { return made }
    throw library.error(code, file.path)
  }

  func append(_ frame: Frame, at time: Int64) throws(RecordingTrackError) {
    let time = max(time / 1000, lastTime + 1)
    let code: Int32
    do throws(ImageError) { code = try add(frame, time) } catch { throw .damaged(error) }
    guard code == 0 else { throw .failed(library.error(code, file.path)) }
    lastTime = time
  }

  private func add(_ frame: Frame, _ time: Int64) throws(ImageError) -> Int32 {
    hasReencoded = false
    if plan.way == .copied, try !frame.isLeftToOutputs() {
      let picture = try judge.picture(of: frame.image)
      try check(picture.size)
      return add(picture.bytes, time)
    }
    switch plan.way {
    case .copied, .jpeg:
      let photo = try pictures.jpeg(of: frame)
      try check(photo.storedSize)
      hasReencoded = plan.way == .copied
      return photo.bytes.withUnsafeBytes { add($0, time) }
    case .encoded:
      let picture = try pictures.picture(of: frame)
      let planes = try pictures.planes(of: picture)
      return try withExtendedLifetime(picture) { () throws(ImageError) in try encode(planes, time) }
    }
  }

  /// Checks the size of a picture: a file has one size.
  private func check(_ size: PixelSize) throws(ImageError) {
    guard size == plan.size else {
      throw .unsupported(
        what: "a picture of \(size) in a video of \(plan.size)", remedy: "start another recording")
    }
  }

  private func add(_ bytes: UnsafeRawBufferPointer, _ time: Int64) -> Int32 {
    libav_add_packet(
      movie, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(clamping: bytes.count), time)
  }

  /// Encodes a picture. There is a key frame at least each second, even if frames come more slowly than expected.
  private func encode(_ picture: MoviePictures.Coded, _ time: Int64) throws(ImageError) -> Int32 {
    try check(picture.size)
    let isKey = time - lastKey + halfInterval >= 1_000_000
    if isKey { lastKey = time }
    var planes: [UnsafePointer<UInt8>?] = picture.planes.map {
      UnsafePointer($0.base.assumingMemoryBound(to: UInt8.self))
    }
    var strides = picture.planes.map { Int32($0.bytesPerRow) }
    return libav_add_picture(movie, &planes, &strides, picture.isWide, time, isKey)
  }

  func finish() throws(RecordingError) {
    let code = libav_end(movie)
    guard code == 0 else {
      abandon()
      throw library.error(code, file.path)
    }
    try file.flush()
  }

  func abandon() { file.cut(to: byteCount) }

  /// The number of added frames that are not in the file: always 1 after the first frame, because the latest frame waits for the next one.
  var lostFrames: Int { lastTime < 0 ? 0 : 1 }

  var byteCount: Int64 { libav_whole_bytes(movie) }

  var facts: RecordingFacts {
    RecordingFacts(
      codec: plan.codec, isCopied: plan.way == .copied, size: plan.size, orientation: plan.tagged)
  }
}

extension MoviePlan {
  /// All options that are not text.
  fileprivate func options(_ settings: RecordingSettings, _ interval: FrameInterval) -> libav_settings {
    var options = libav_settings()
    options.width = Int32(clamping: size.width)
    options.height = Int32(clamping: size.height)
    options.rate_numerator = Int32(clamping: max(1, interval.denominator))
    options.rate_denominator = Int32(clamping: max(1, interval.numerator))
    options.layout = LibAV.layout(sampling, isWide: isWide)
    options.matrix = Int32(color.matrix == .bt2020 ? libav_bt2020 : libav_bt709)
    options.bit_rate = Int64(settings.bitRate.map { max($0, 10_000) } ?? 0)
    options.quality = Int32(settings.constantRateFactor)
    return options
  }
}
