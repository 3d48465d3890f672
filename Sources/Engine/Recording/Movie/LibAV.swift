import CLibAV
import Glibc
import Imagery

/// FFmpeg's libraries, loaded once, when something is recorded.
///
/// `@unchecked Sendable`: a table of functions, which `libav_load` writes before anyone gets it.
final class LibAV: @unchecked Sendable {
  let api: OpaquePointer

  private init(_ api: OpaquePointer) { self.api = api }

  private static let loaded: Result<LibAV, RecordingError> = {
    var reason = [CChar](repeating: 0, count: 512)
    guard let api = libav_load(&reason, reason.count) else {
      return .failure(
        RecordingError(
          .noEncoder, "write a video", reason: "FFmpeg's libraries cannot be loaded (\(LibAV.text(reason)))",
          remedy: "install them with `apt-get install ffmpeg`, or record a corpus, which needs none"))
    }
    return .success(LibAV(api))
  }()

  /// - Throws: `noEncoder` if the libraries are not installed.
  static func load() throws(RecordingError) -> LibAV { try loaded.get() }

  func hasEncoder(_ name: String) -> Bool { libav_has_encoder(api, name) }

  var encoders: Encoders {
    Encoders(has: hasEncoder) { [self] name, sampling, isWide in
      libav_takes(api, name, Self.layout(sampling, isWide: isWide))
    }
  }

  /// The layout of the planes that an encoder gets.
  static func layout(_ sampling: PlaneConverter.Sampling, isWide: Bool) -> CInt {
    let layout =
      switch sampling {
      case .s420: isWide ? libav_420_wide : libav_420
      case .s422: isWide ? libav_422_wide : libav_422
      }
    return CInt(layout)
  }

  /// The codecs that a video can have on this machine.
  static var codecs: [RecordingCodec] {
    guard let library = try? load() else { return [] }
    return RecordingCodec.all.filter { $0 == .mjpeg || $0.encoders.contains(where: library.hasEncoder) }
  }

  /// The error for a negative code, for a recording to `path`.
  func error(_ code: Int32, _ path: String) -> RecordingError {
    var reason = [CChar](repeating: 0, count: 256)
    libav_reason(api, code, &reason, reason.count)
    let number = libav_errno(code)
    let isFull = number == ENOSPC || number == EDQUOT
    let kind: RecordingError.Code = isFull ? .diskFull : number == 0 ? .encoding : .destination
    let remedy =
      switch kind {
      case .diskFull: "free some space" + RecordingError.kept
      case .encoding: "choose another codec with --codec, or another size of the camera"
      default: Self.remedy(number) + RecordingError.kept
      }
    return RecordingError(kind, "record to \(path)", reason: Self.text(reason), remedy: remedy)
  }

  /// The remedy for an error of the system.
  private static func remedy(_ number: CInt) -> String {
    switch number {
    case EIO, ENODEV, ENXIO, ESTALE: "check that the disk is connected and sound"
    case EFBIG: "make shorter recordings, or name a folder on another disk"
    case ENOMEM: "end other programs"
    default: "name a folder on another disk"
    }
  }

  private static func text(_ characters: [CChar]) -> String {
    String(
      decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
