import JSON
import System

/// A frame of a track.
public struct CorpusFrame: Hashable, Sendable {
  /// How the file holds the picture, by its ending.
  public enum Encoding: Sendable {
    /// A JPEG file.
    case jpeg
    /// A PNG file.
    case png
    /// The bytes of the manifest's pixel format, and nothing else.
    case raw
  }

  /// Inside the corpus folder: `frames/000001.jpg`.
  public var file: String
  /// As the device counted; gaps are frames it lost.
  public var sequence: UInt32
  /// How many bytes the device said it delivered, when that is not what the file has.
  public var byteCount: Int?

  /// A frame of a track; `byteCount` is nil unless the device said something else than the file holds.
  public init(file: String, sequence: UInt32, byteCount: Int? = nil) {
    self.file = file
    self.sequence = sequence
    self.byteCount = byteCount
  }

  /// By the ending of the file's name: JPEG, PNG, or raw in the manifest's pixel format.
  public var encoding: Encoding {
    let name = file.lowercased()
    if name.ends(exactly: ".jpg") || name.ends(exactly: ".jpeg") { return .jpeg }
    return name.ends(exactly: ".png") ? .png : .raw
  }
}

/// One line of `track.jsonl`: what happened when.
public struct CorpusEvent: Hashable, Sendable {
  /// Which end of an interruption it is.
  public enum Phase: String, Sendable, CaseIterable {
    /// From here on there is no picture.
    case began
    /// From here on there is.
    case ended
  }

  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// The device delivered a picture.
    case frame(CorpusFrame)
    /// How the device was held, in degrees: 0 upright, clockwise as its user sees it, any real number within ±3600.
    case angle(degrees: Double)
    /// The picture went or came back, while the device stayed.
    case interruption(reason: String, phase: Phase)
    /// The device delivers nothing for this long, though it says it streams.
    case stall(durationNanoseconds: Int64)
    /// The device went.
    case unplug
    /// The device came back.
    case replug
    /// A device control took a value.
    case control(name: String, value: Int64)
    /// What the picture shows from here on.
    case scene(String)
  }

  /// Nanoseconds since the track began. Never less than the event before.
  public let time: Int64
  /// What happened.
  public let kind: Kind

  /// An event; the track checks that times never go back.
  public init(time: Int64, kind: Kind) {
    self.time = time
    self.kind = kind
  }
}

// One JSON object a line: "t" in nanoseconds, "type", and what the type needs.
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
    default: throw JSONError(reason: "there is no event type \(type.prefix(40))")
    }
  }
}

extension CorpusFrame {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    file = try fields.string("file")
    guard SafeName.isSafe(file) else {
      throw JSONError(reason: "the file name \(file.prefix(200)) leads out of the corpus")
    }
    sequence = UInt32(try fields.integer("sequence", in: 0...Int64(UInt32.max)))
    if fields.has("byteCount") {
      byteCount = try fields.integer("byteCount", in: 0...CorpusLimits.frameBytes)
    }
  }
}
