import Imagery

/// How the frames of one video become packets: decided with its first frame, and the same to its end.
struct MoviePlan: Equatable {
  enum Way: Equatable {
    /// The camera's own JPEG, byte by byte.
    case copied
    /// JPEG by libjpeg-turbo.
    case jpeg
    /// By an encoder of libavcodec.
    case encoded(by: String)
  }

  let codec: RecordingCodec
  let way: Way
  /// What is done to the pixels.
  let baked: Orientation
  /// What the file tells its player to do to them.
  let tagged: Orientation
  /// Of the pixels in the file.
  let size: PixelSize
  /// Of what an encoder is given; JPEG has its own.
  let color: ColorDescription
  /// Chroma as the encoder is given it.
  let sampling: PlaneConverter.Sampling
  /// The encoder is given ten bits.
  let isWide: Bool

  /// What the first frame says of those that follow.
  struct Beginning {
    /// Its size is that of the stored pixels.
    var format: ImageFormat
    /// Stored pixels → upright.
    var upright = Orientation.upright
    /// It must be cropped or brightened.
    var isLeftToOutputs = false
  }

  /// - Parameter encoders: those of libavcodec.
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

  /// ProRes always has 4:2:2 of ten bits. Of a camera of ten bits HEVC and FFV1 keep them, and its chroma, where the encoder can; FFV1
  /// keeps 4:2:2 of eight bits too.
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

/// What libavcodec can do, as far as a plan asks.
struct Encoders {
  /// An encoder of that name is there.
  var has: (String) -> Bool
  /// It takes planes of such a sampling, of eight bits or of ten.
  var takes: (_ name: String, PlaneConverter.Sampling, _ isWide: Bool) -> Bool
}
