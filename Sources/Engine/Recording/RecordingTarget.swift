import Imagery
import System

/// The kind of recording that a path requests.
enum RecordingTarget: Equatable {
  /// A video file with the container `mp4` or `mov`.
  case movie(container: String)
  case folder

  private static let containers = [".mp4": "mp4", ".m4v": "mp4", ".mov": "mov"]
  /// Common formats that lose something a recording must keep: the rotation, the time of each frame, or the whole file if the process is killed.
  private static let others = [".mkv", ".webm", ".avi", ".ts", ".mpg", ".mpeg", ".mjpeg", ".h264"]
  /// Endings of single pictures. A folder whose name has one of these endings is surely a mistake.
  private static let pictures = [".jpg", ".jpeg", ".png"]

  /// - Throws: `settings`; `destination` for an invalid path.
  init(_ path: String) throws(RecordingError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw RecordingError(
        .destination, "record to \(path)", reason: "the path is empty or has a zero byte",
        remedy: "name a file that ends in .mp4 or .mov, or a folder")
    }
    var name = path.smallASCII
    while name.ends(exactly: "/") { name = String(decoding: name.utf8.dropLast(), as: UTF8.self) }
    if let container = Self.containers.first(where: { name.ends(exactly: $0.key) })?.value {
      self = .movie(container: container)
    } else if let other = Self.others.first(where: { name.ends(exactly: $0) }) {
      throw RecordingError(
        .settings, "record to \(path)",
        reason:
          "a \(other) file loses the rotation or the times of its frames, or cannot be played if the recorder is killed",
        remedy: "name a file that ends in .mp4 or .mov, or a folder for a corpus")
    } else if let picture = Self.pictures.first(where: { name.ends(exactly: $0) }) {
      throw RecordingError(
        .settings, "record to \(path)", reason: "a \(picture) file holds one picture",
        remedy: "name a file that ends in .mp4 or .mov, or a folder without that ending for a corpus")
    } else {
      self = .folder
    }
  }

  /// Checks, before the first frame comes, that the recording is possible at this path and with these settings.
  /// - Parameter folder: the kind of recording for folders; nil if only videos are recorded.
  func claim(
    _ path: String, _ settings: RecordingSettings, folder: RecordingFolder?
  ) throws(RecordingError) -> RecordingPlace {
    switch self {
    case .movie(let container):
      let library = try LibAV.load()
      if let codec = settings.codec, codec != .mjpeg, !codec.encoders.contains(where: library.hasEncoder) {
        throw MoviePlan.missing(codec, path)
      }
      return .file(try MovieFile(path), container: container)
    case .folder:
      guard settings.codec == nil, settings.look == nil, settings.orientation == .metadata else {
        throw RecordingError(
          .settings, "record to \(path)",
          reason: "a corpus holds the camera's frames unchanged",
          remedy: "name a file that ends in .mp4, or record without a codec, a look and rotated pixels")
      }
      guard let folder else {
        throw RecordingError(
          .settings, "record to \(path)", reason: "only videos are recorded here",
          remedy: "name a file that ends in .mp4 or .mov")
      }
      return .folder(try FolderClaim(path), folder)
    }
  }
}

extension RecordingPlace {
  /// Makes the track for a recording that begins with this frame.
  func track(
    _ settings: RecordingSettings, to path: String, first: Frame, interval: FrameInterval, created: String?
  ) throws(RecordingTrackError) -> any RecordingTrack {
    var beginning = MoviePlan.Beginning(format: first.image.format, upright: first.orientation.capture)
    do throws(ImageError) {
      beginning.format.size = try PlaneConverter.storedSize(of: first.image)
      beginning.isLeftToOutputs = try first.isLeftToOutputs()
    } catch {
      throw .damaged(error)
    }
    do throws(RecordingError) {
      switch self {
      case .folder(_, let folder):
        return try folder.begin(settings, path, first, beginning.format, interval)
      case .file(let file, let container):
        let library = try LibAV.load()
        let plan = try MoviePlan(settings, beginning, path: path, encoders: library.encoders)
        return try MovieTrack(
          plan, settings, file: file, container: container, interval: interval, created: created)
      }
    } catch {
      throw .failed(error)
    }
  }
}
