import Glibc
import Imagery
import JSON
import System

/// The description of a video by ffprobe.
struct VideoDescription {
  let codec: String
  let size: PixelSize
  let frameInterval: FrameInterval
  /// The orientation that makes stored pixels upright. Nil if it is not a quarter-turn.
  let orientation: Orientation?

  /// Parses the JSON of ffprobe.
  init(_ bytes: [UInt8]) throws(JSONError) {
    let streams = try JSONFields(JSONParser.parse(bytes)).array("streams", atMost: 100)
    guard let first = streams.first else { throw JSONError(reason: "it has no video stream") }
    let stream = try JSONFields(first)
    codec = try stream.string("codec_name")
    size = PixelSize(
      width: try stream.integer("width", in: 1...CorpusLimits.side),
      height: try stream.integer("height", in: 1...CorpusLimits.side))
    frameInterval =
      Self.interval(stream, "avg_frame_rate") ?? Self.interval(stream, "r_frame_rate")
      ?? FrameInterval(numerator: 1, denominator: 30)
    orientation = Self.orientation(stream)
  }

  /// Parses a rate in frames per second, such as "30000/1001".
  private static func interval(_ stream: JSONFields, _ key: String) -> FrameInterval? {
    guard let text = try? stream.string(key) else { return nil }
    let parts = text.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2, (1...1_000_000_000).contains(parts[0]), (1...1_000_000_000).contains(parts[1])
    else {
      return nil
    }
    let interval = FrameInterval(numerator: parts[1], denominator: parts[0])
    return (100_000...3_600_000_000_000).contains(interval.nanoseconds) ? interval : nil
  }

  /// Returns the orientation of the display matrix, because FFmpeg's angle does not include mirroring. The matrix is nine numbers in three lines,
  /// each line preceded by its index and a colon.
  private static func orientation(_ stream: JSONFields) -> Orientation? {
    guard let list = try? stream.array("side_data_list", atMost: 100) else { return .upright }
    for value in list {
      guard let fields = try? JSONFields(value), let text = try? fields.string("displaymatrix") else {
        continue
      }
      let numbers = text.split(separator: "\n").flatMap { line in
        (line.split(separator: ":").last ?? "").split(separator: " ").compactMap { Int32($0) }
      }
      return Orientation(displayMatrix: numbers)
    }
    return .upright
  }
}

// Import of a video file, by ffmpeg.
extension CorpusImport {
  func video(_ path: String) throws(CorpusError) -> Imported {
    let description = try describe(path)
    let isMotionJPEG = description.codec == "mjpeg"
    var notes: [String] = []
    let times = try timeStamps(path, packets: isMotionJPEG, description.frameInterval)
    let folder = "\(directory).frames-\(getpid())"
    try FolderTree.make(folder)
    defer { FolderTree.remove(folder) }
    try extract(path, to: folder, copying: isMotionJPEG, &notes)
    var manifest = manifest(path, .mjpeg, size: description.size, interval: description.frameInterval)
    let orientation = description.orientation ?? .upright
    manifest.mountAngle = orientation.rotation
    manifest.isMirrored = orientation.isMirrored
    if description.orientation == nil {
      notes.append(
        "The video asks to be turned by an angle that is not a multiple of 90°; its frames are taken as upright."
      )
    }
    manifest.exposureEdge = .endOfFrame
    let corpus = try assemble(folder, times, manifest: manifest, notes: &notes)
    return Imported(corpus: corpus, notes: notes.map(CorpusError.printable))
  }

  /// Returns the input options: only the file itself may be opened, not what it may refer to on a network.
  private static func input(_ path: String) -> [String] {
    ["-protocol_whitelist", "file", "-i", "file:\(path)"]
  }

  private func describe(_ path: String) throws(CorpusError) -> VideoDescription {
    let entries =
      "stream=codec_name,width,height,avg_frame_rate,r_frame_rate:stream_side_data=displaymatrix"
    let probe = try ExternalProgram.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "json"] + Self.input(path))
    guard probe.status == 0 else { throw unreadable(path, probe.complaints) }
    do { return try VideoDescription(probe.output) } catch { throw unreadable(path, error.reason) }
  }

  private func unreadable(_ path: String, _ complaints: String) -> CorpusError {
    let reason = complaints.split(separator: "\n").last.map(String.init) ?? "ffmpeg gives no reason"
    return CorpusError(
      .malformed, "import \(path)", reason: "ffmpeg cannot read it as a video (\(reason.prefix(300)))",
      remedy: "give a video file or a folder of pictures")
  }

  /// Returns the times in nanoseconds from the first, never decreasing. Motion JPEG is copied packet by packet, so those are the packets' times;
  /// everything else is decoded, so those are the frames' times.
  private func timeStamps(
    _ path: String, packets: Bool, _ interval: FrameInterval
  ) throws(CorpusError) -> [Int64] {
    let what =
      packets
      ? ["-show_packets", "-show_entries", "packet=pts_time,dts_time"]
      : ["-show_frames", "-show_entries", "frame=best_effort_timestamp_time"]
    let probe = try ExternalProgram.run(
      "ffprobe", ["-v", "error", "-select_streams", "v:0"] + what + ["-of", "csv=p=0"] + Self.input(path))
    var times: [Int64] = []
    var first: Int64?
    for line in String(decoding: probe.output, as: UTF8.self).split(separator: "\n") {
      let expected = times.last.map { $0 + interval.nanoseconds } ?? 0
      let stamp = line.split(separator: ",").lazy.compactMap { Self.nanoseconds($0) }.first
      if first == nil { first = stamp }
      let time = stamp.map { $0 - (first ?? 0) } ?? expected
      times.append(min(max(time, times.last ?? 0), CorpusLimits.durationNanoseconds))
    }
    return times
  }

  /// Parses seconds with a decimal point. Nil for anything else, or beyond a year.
  static func nanoseconds(_ text: Substring) -> Int64? {
    guard let seconds = Double(text), abs(seconds) < 3.2e7 else { return nil }
    return Int64((seconds * 1e9).rounded())
  }

  /// Writes every frame to a numbered file in `folder`: copied, or as JPEG of ffmpeg's best quality without changing the displayed picture (BT.601
  /// full range, unrotated).
  private func extract(
    _ path: String, to folder: String, copying: Bool, _ notes: inout [String]
  ) throws(CorpusError) {
    let coding =
      copying
      ? ["-c", "copy"]
      : [
        "-vsync", "passthrough", "-vf", "scale=out_color_matrix=bt601:out_range=full", "-pix_fmt", "yuvj420p",
        "-q:v",
        "2", "-threads", "1",
      ]
    let result = try ExternalProgram.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-noautorotate"] + Self.input(path) + ["-map", "0:v:0"] + coding
        + ["-frames:v", String(CorpusLimits.frames), "-f", "image2", "file:\(folder)/%07d.jpg"])
    if !result.complaints.isEmpty || result.status != 0 {
      let last = result.complaints.split(separator: "\n").last.map(String.init) ?? "status \(result.status)"
      notes.append(
        "ffmpeg complained about the video (\(last.prefix(300))); frames it could not read are missing.")
    }
    guard !Corpus.names(in: folder).isEmpty else { throw unreadable(path, result.complaints) }
  }

  private func assemble(
    _ folder: String, _ times: [Int64], manifest: CorpusManifest, notes: inout [String]
  ) throws(CorpusError) -> Corpus {
    let source = try CorpusDirectory(opening: folder)
    let names = Corpus.names(in: folder)
    if names.count != times.count {
      notes.append(
        "The video has \(times.count) time stamps and \(names.count) frames; the shorter list counts.")
    }
    let writer = try CorpusWriter(creating: directory, manifest: manifest, replacing: isReplacing)
    for (index, (name, time)) in zip(names, times).enumerated() {
      let bytes = try source.read(name, limit: CorpusLimits.frameBytes).bytes
      try writer.addFrame(bytes, time: time, sequence: UInt32(index))
    }
    return try writer.finish()
  }
}
