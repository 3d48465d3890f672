import Imagery

/// The way from the frames of one video to packets: decided with its first frame, and unchanged to its end.
struct MoviePlan: Equatable {
  enum Way: Equatable {
    /// The camera's own JPEG, copied byte by byte.
    case copied
    /// JPEG encoded by libjpeg-turbo.
    case jpeg
    case encoded(by: String)
  }

  let codec: RecordingCodec
  let way: Way
  /// The orientation that is applied to the pixels.
  let baked: Orientation
  /// The orientation that the player must apply.
  let tagged: Orientation
  /// The size of the pictures in the file, in pixels.
  let size: PixelSize
  /// The colour description of the encoder's input; JPEG has its own.
  let color: ColorDescription
  /// The chroma sampling of the encoder's input.
  let sampling: PlaneConverter.Sampling
  /// Whether the encoder gets 10 bits.
  let isWide: Bool

  /// The properties of the first frame that apply to all.
  struct Beginning {
    /// The format, with the size of the stored pixels.
    var format: ImageFormat
    /// The orientation that makes stored pixels upright.
    var upright = Orientation.upright
    /// Whether the frame must be cropped or brightened.
    var isLeftToOutputs = false
  }

  /// - Parameter encoders: tells which of libavcodec's encoders are installed, and what planes they accept.
  /// - Throws: `noEncoder`, `settings`.
  init(
    _ settings: RecordingSettings, _ first: Beginning, path: String, encoders: Encoders
  ) throws(RecordingError) {
    let (isBaked, format, hasEncoder) = (settings.orientation == .baked, first.format, encoders.has)
    (baked, tagged) = isBaked ? (first.upright, .upright) : (.upright, first.upright)
    let canCopy =
      format.pixelFormat == .mjpeg && settings.look == nil && baked == .upright && !first.isLeftToOutputs
    func encoder(_ codec: RecordingCodec) -> String? { codec.encoders.first(where: hasEncoder) }
    codec = settings.codec ?? (canCopy || encoder(.h264) == nil ? .mjpeg : .h264)
    if codec == .mjpeg {
      way = canCopy ? .copied : .jpeg
    } else if let name = encoder(codec) {
      way = .encoded(by: name)
    } else {
      throw Self.missing(codec, path)
    }
    let stored = baked.applied(to: format.size)
    var name: String?
    if case .encoded(let encoder) = way { name = encoder }
    size = name == nil ? stored : PlaneConverter.evenSize(stored)
    (sampling, isWide) = Self.depth(codec, name, format: format, encoders: encoders)
    color = ColorDescription(matrix: format.color.matrix == .bt2020 ? .bt2020 : .bt709, range: .limited)
  }

  /// The sampling, and whether there are 10 bits. ProRes always has 10-bit 4:2:2. For a 10-bit camera, HEVC and FFV1
  /// keep its bits and its chroma sampling if the encoder supports them; FFV1 also keeps 8-bit 4:2:2.
  private static func depth(
    _ codec: RecordingCodec, _ encoder: String?, format: ImageFormat, encoders: Encoders
  ) -> (PlaneConverter.Sampling, Bool) {
    guard let encoder else { return (.s420, false) }
    let own = PlaneConverter.sampling(of: format.pixelFormat)
    let keepsWide = format.pixelFormat.isWide && [.hevc, .ffv1].contains(codec)
    if codec == .prores { return (.s422, true) }
    if keepsWide, encoders.takes(encoder, own, true) { return (own, true) }
    return (codec == .ffv1 && encoders.takes(encoder, own, false) ? own : .s420, false)
  }

  static func missing(_ codec: RecordingCodec, _ path: String) -> RecordingError {
    let known = RecordingCodec.all.map(\.rawValue).joined(separator: ", ")
    guard RecordingCodec.all.contains(codec) else {
      return RecordingError(
        .settings, "record to \(path)", reason: "there is no codec \(codec.rawValue)",
        remedy: "choose one of \(known)")
    }
    return RecordingError(
      .noEncoder, "record to \(path)",
      reason: "FFmpeg's libraries have no encoder \(codec.encoders.joined(separator: " or "))",
      remedy: "install a build that has it, or choose mjpeg, which needs none")
  }

}

/// The abilities of libavcodec that a plan needs to know.
struct Encoders {
  /// Whether there is an encoder with this name.
  var has: (String) -> Bool
  /// Whether the encoder accepts planes of this sampling, with 8 or 10 bits.
  var takes: (_ name: String, PlaneConverter.Sampling, _ isWide: Bool) -> Bool
}
