import JSON
import System

/// A frame of a track.
public struct CorpusFrame: Hashable, Sendable {
  /// The encoding of the picture, by the file's extension.
  public enum Encoding: Sendable {
    /// A JPEG file.
    case jpeg
    /// A PNG file.
    case png
    /// Only the bytes of the manifest's pixel format.
    case raw
  }

  /// The name inside the corpus folder, such as `frames/000001.jpg`.
  public var file: String
  /// The device's sequence number. Gaps are frames that it lost.
  public var sequence: UInt32
  /// Number of bytes that the device reported, if it differs from the size of the file. Nil otherwise.
  public var byteCount: Int?

  /// Creates a frame. `byteCount` is nil unless the device reported another number of bytes than the file has.
  public init(file: String, sequence: UInt32, byteCount: Int? = nil) {
    self.file = file
    self.sequence = sequence
    self.byteCount = byteCount
  }

  /// The encoding by the file's extension: JPEG, PNG, or raw in the manifest's pixel format.
  public var encoding: Encoding {
    let name = file.lowercased()
    if name.ends(exactly: ".jpg") || name.ends(exactly: ".jpeg") { return .jpeg }
    return name.ends(exactly: ".png") ? .png : .raw
  }
}

/// A line of `track.jsonl`: an event with its time.
public struct CorpusEvent: Hashable, Sendable {
  /// The beginning or the end of an interruption.
  public enum Phase: String, Sendable, CaseIterable {
    /// There is no picture from here on.
    case began
    /// There are pictures again from here on.
    case ended
  }

  /// The event.
  public enum Kind: Hashable, Sendable {
    /// The device delivered a picture.
    case frame(CorpusFrame)
    /// The angle at which the device was held, in degrees: 0 upright, clockwise as its user sees it, any real number within ±3600.
    case angle(degrees: Double)
    /// The pictures stopped or came back, while the device stayed.
    case interruption(reason: String, phase: Phase)
    /// The device delivers nothing for this long, although it reports streaming.
    case stall(durationNanoseconds: Int64)
    /// The device was unplugged.
    case unplug
    /// The device came back.
    case replug
    /// A control of the device took a value.
    case control(name: String, value: Int64)
    /// The content of the pictures from here on.
    case scene(String)
  }

  /// The time in nanoseconds since the track began, at least that of the previous event.
  public let time: Int64
  /// The event.
  public let kind: Kind

  /// Creates an event. The track checks that times do not decrease.
  public init(time: Int64, kind: Kind) {
    self.time = time
    self.kind = kind
  }
}

// One JSON object per line: "t" in nanoseconds, "type", and the members of the type.
extension CorpusEvent {
  init(_ value: JSONValue) throws(JSONError) {
    let fields = try JSONFields(value)
    time = try fields.integer("t", in: 0...CorpusLimits.durationNanoseconds)
    kind = try Kind(type: try fields.string("type"), fields)
  }

  var json: JSONValue {
    var members: [String: JSONValue] = ["t": .integer(time), "type": .string(kind.type)]
    switch kind {
    case .frame(let frame):
      members["file"] = .string(frame.file)
      members["sequence"] = .integer(Int64(frame.sequence))
      if let count = frame.byteCount { members["byteCount"] = .integer(Int64(count)) }
    case .angle(let degrees): members["degrees"] = .number(degrees)
    case .interruption(let reason, let phase):
      members["reason"] = .string(reason)
      members["phase"] = .string(phase.rawValue)
    case .stall(let duration): members["durationNanoseconds"] = .integer(duration)
    case .unplug, .replug: break
    case .control(let name, let value):
      members["name"] = .string(name)
      members["value"] = .integer(value)
    case .scene(let name): members["name"] = .string(name)
    }
    return .object(members)
  }
}

extension CorpusEvent.Kind {
  fileprivate var type: String {
    switch self {
    case .frame: "frame"
    case .angle: "angle"
    case .interruption: "interruption"
    case .stall: "stall"
    case .unplug: "unplug"
    case .replug: "replug"
    case .control: "control"
    case .scene: "scene"
    }
  }

  fileprivate init(type: String, _ fields: JSONFields) throws(JSONError) {
    switch type {
    case "frame": self = .frame(try CorpusFrame(fields))
    case "angle": self = .angle(degrees: try fields.number("degrees", in: -3600...3600))
    case "interruption":
      self = .interruption(reason: try fields.string("reason"), phase: try fields.choice("phase"))
    case "stall":
      let duration = try fields.integer("durationNanoseconds", in: 0...CorpusLimits.durationNanoseconds)
      self = .stall(durationNanoseconds: duration)
    case "unplug": self = .unplug
    case "replug": self = .replug
    case "control":
      let value = try fields.integer("value", in: Int64.min...Int64.max)
      self = .control(name: try fields.string("name"), value: value)
    case "scene": self = .scene(try fields.string("name"))
    default: throw JSONError(reason: "\(type.prefix(40)) is not an event type")
    }
  }
}

extension CorpusFrame {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    file = try fields.string("file")
    guard SafeName.isSafe(file) else {
      throw JSONError(
        reason:
          "the file name \(file.prefix(200)) is not allowed, because it is not a path inside the corpus folder"
      )
    }
    sequence = UInt32(try fields.integer("sequence", in: 0...Int64(UInt32.max)))
    if fields.has("byteCount") {
      byteCount = try fields.integer("byteCount", in: 0...CorpusLimits.frameBytes)
    }
  }
}
