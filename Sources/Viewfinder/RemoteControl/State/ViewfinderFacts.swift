import Capture
import Imagery
import JSON
import Recording
import Settings
import System

/// All data of the state document, at one moment.
struct ViewfinderFacts: Sendable {
  var session = SessionState.idle
  var startedAt: Double?
  var isAppActive = false
  var source = ""
  /// The reason why this source was chosen if the user named none, as a sentence.
  var sourceReason: String?
  var camera: CameraDescription?
  var format: CameraFormat?
  var controls = ControlsState()
  var angles = FrameOrientation.upright
  var lenses: [LensList.Choice] = []
  var lens = 0
  var recording = RecordingState.idle
  var progress: RecordingProgress?
  var codec: String?
  /// The last recording, until the next one begins.
  var ended: RecordingEnd?
  var recordings: [RecordingList.Entry] = []
  var photos = PhotoFacts()
  /// The deleted photos and recordings that can still be brought back, the newest first.
  var deleted: [DeletedFiles.Entry] = []
  var settings = CameraSettings()
  var look = LookFacts()
  var overlay = DebugOverlay()
  var dock = JSONValue.unsupported("no dock is connected")
  /// The reason why the library accepts no photo now.
  var refusal: String?
  /// The members that the reader of spines adds for spines, queue and library.
  var books: [String: JSONValue] = [:]
}

struct LookFacts: Sendable {
  var name: String?
  /// The reason why the look cannot be used, as a sentence. Nil if it can.
  var trouble: String?
  var isActive = false
  var names: [String] = []
}

/// The photos that were taken since the program began.
struct PhotoFacts: Sendable {
  struct Last: Sendable {
    var name: String
    var time: Double
    var size: PixelSize
    var bytes: Int
    var tokens: Int?
  }

  var count = 0
  var last: Last?
}

extension ViewfinderFacts {
  var document: JSONValue {
    let isRecording = recording != .idle
    return .object([
      "schema": .integer(1), "isAppActive": .bool(isAppActive), "isRecording": .bool(isRecording),
      "selectedFrameRate": .number(known: format?.frameInterval.framesPerSecond ?? settings.frameRate),
      "recordingStartTime": .number(known: isRecording ? progress?.startTime : nil),
      "session": sessionValue, "camera": cameraValue, "format": format.map(Self.value) ?? .null,
      "formats": .array((camera?.formats ?? []).prefix(256).map(Self.value)),
      "rotation": .object([
        "preview": .whole(angles.preview.rotation.rawValue),
        "capture": .whole(angles.capture.rotation.rawValue),
        "isPreviewMirrored": .bool(angles.preview.isMirrored),
        "isCaptureMirrored": .bool(angles.capture.isMirrored),
      ]),
      "exposure": exposureValue, "whiteBalance": whiteBalanceValue, "focus": focusValue, "zoom": zoomValue,
      "torch": single(.torch, .number(known: controls.torch)),
      "stabilization": single(
        .stabilization, controls.values[.stabilization]?.flag.map { .bool($0) } ?? .null),
      "look": lookValue, "recording": recordingValue,
      "recordings": .array(recordings.prefix(100).map(Self.value)), "photos": photosValue,
      "deleted": .array(deleted.prefix(100).map(Self.value)),
      "settings": settingsValue,
      "functionButtons": .array([settings.firstButton, settings.secondButton].map(Self.value)),
      "overlay": overlayValue, "dock": dock, "refusals": refusalsValue,
    ]).merging(booksMembers)
  }

  private var booksMembers: [String: JSONValue] {
    let without: [String: JSONValue] = [
      "spines": .unsupported(
        "this viewfinder reads no spines; start it with `swiftwing view --serve --scan`"),
      "queue": .unsupported(
        "this viewfinder shows no library; start it with `swiftwing view --serve --library`"),
      "library": .unsupported(
        "this viewfinder shows no library; start it with `swiftwing view --serve --library`"),
    ]
    return without.merging(books) { $1 }
  }

  private var sessionValue: JSONValue {
    var members: [String: JSONValue] = [
      "startedAt": .number(known: startedAt), "reason": .null, "message": .null, "severity": .null,
      "remedy": .null,
    ]
    func notice(_ reason: InterruptionReason) {
      members["reason"] = .text(reason.rawValue)
      members["severity"] = .string(reason.severity.rawValue)
      members["message"] = .text(reason.message)
    }
    let name: String
    switch session {
    case .idle, .warm: name = "idle"
    case .starting: name = "starting"
    case .loading: name = "loading"
    case .running: name = "running"
    case .interrupted(let reason):
      name = "interrupted"
      notice(reason)
    case .paused(let cause):
      name = "paused"
      members["reason"] = .text(cause.rawValue)
    case .failed(let error):
      name = "failed"
      members["reason"] = .text(error.code.rawValue)
      members["severity"] = .string("warning")
      members["message"] = .text("\(error)")
      members["remedy"] = .text("Correct the cause, then try again.")
    case .ended: name = "ended"
    }
    members["state"] = .string(name)
    return .object(members)
  }

  private var cameraValue: JSONValue {
    .object([
      "source": .text(source), "reason": .text(sourceReason), "name": .text(camera?.name),
      "driver": .text(camera?.driver),
      "lens": .string("\(lens)"),
      "lenses": .array(
        lenses.enumerated().map { index, choice in
          .object([
            "id": .string("\(index)"), "name": .string("\((choice.factor * 10).rounded() / 10)×"),
            "factor": .number(known: choice.factor), "isCrop": .bool(choice.isCrop),
          ])
        }),
    ])
  }

  private static func value(_ format: CameraFormat) -> JSONValue {
    let image = format.image
    return .object([
      "width": .whole(image.size.width), "height": .whole(image.size.height),
      "rate": .number(known: format.frameInterval.framesPerSecond),
      "pixelFormat": .text(image.pixelFormat.rawValue),
      "colorSpace": .text("\(image.color.matrix.rawValue) \(image.color.range.rawValue)"),
    ])
  }

  private static func value(_ ability: CameraSettings.Ability) -> JSONValue {
    switch ability {
    case .none: .string("none")
    case .lockExposure: .string("exposureLock")
    case .shutterPriority: .string("shutterPriority")
    }
  }

  private static func value(_ entry: RecordingList.Entry) -> JSONValue {
    func name(_ path: String) -> String { path.lastName }
    let isTurned = entry.orientation?.rotation.swapsAxes ?? false
    let size = isTurned ? entry.size.transposed : entry.size
    return .object([
      "name": .text(name(entry.path)), "codec": .text(entry.recordingCodec?.rawValue ?? entry.codec),
      "duration": .number(known: Double(entry.duration / .milliseconds(1)) / 1000),
      "bytes": .integer(entry.byteCount), "date": .number(known: entry.modified),
      "thumbnail": .text(entry.thumbnailPath.map(name)), "width": .whole(size.width),
      "height": .whole(size.height),
    ])
  }

  private static func value(_ entry: DeletedFiles.Entry) -> JSONValue {
    .object([
      "name": .text(entry.name), "kind": .string(entry.kind.rawValue),
      "until": .number(Double(entry.until) / 1000),
    ])
  }

  private var lookValue: JSONValue {
    .object([
      "name": .text(look.name), "isActive": .bool(look.isActive), "bakesIn": .bool(settings.isLookBakedIn),
      "trouble": .text(look.trouble), "looks": .array(look.names.prefix(256).map { .text($0) }),
    ])
  }

  private var recordingValue: JSONValue {
    let state: String
    var path: String?
    switch recording {
    case .idle: state = "idle"
    case .recording(let file, _): (state, path) = ("recording", file)
    case .finishing(let file): (state, path) = ("finishing", file)
    }
    let rate = format?.frameInterval.framesPerSecond ?? settings.frameRate
    let seconds = progress.map { Double($0.duration / .milliseconds(1)) / 1000 }
    return .object([
      "state": .string(state), "file": .text(path?.lastName),
      "timecode": .text(path == nil ? nil : seconds.map { Timecode(seconds: $0, rate: rate).description }),
      "written": .whole(progress?.written), "dropped": .whole(progress?.dropped), "codec": .text(codec),
      "ended": ended.map(\.value) ?? .null,
    ])
  }

  private var photosValue: JSONValue {
    let last: JSONValue =
      photos.last.map { last in
        .object([
          "name": .text(last.name), "time": .number(known: last.time), "width": .whole(last.size.width),
          "height": .whole(last.size.height), "bytes": .whole(last.bytes), "tokens": .whole(last.tokens),
        ])
      } ?? .null
    return .object([
      "count": .whole(photos.count), "last": last,
      "isShutterEnabled": .bool(session.acceptsPhotos && refusal == nil),
      "reason": .text(session.acceptsPhotos ? refusal : session.whyNoPhotos),
    ])
  }

  private var settingsValue: JSONValue {
    .object(Dictionary(uniqueKeysWithValues: SettingKey.all.map { ($0.name, $0.value(in: settings)) }))
  }

  private var overlayValue: JSONValue {
    let keys = [
      "resolution", "fps", "codec", "iso", "whiteBalance", "tint", "shutter", "bias", "stabilization",
      "colorSpace",
      "latency",
    ]
    var members = Dictionary(uniqueKeysWithValues: zip(keys, overlay.rows.map { JSONValue.text($0.text) }))
    members["isVisible"] = .bool(settings.isDebugOverlayVisible)
    return .object(members)
  }
}
