import Charts
import Imagery
import JSON

// `corpus.json`, read with all bounds checked, and written deterministically.
extension CorpusManifest {
  init(_ value: JSONValue) throws(JSONError) {
    let fields = try JSONFields(value)
    let schema = try fields.string("schema")
    guard schema == Self.schema else {
      throw JSONError(reason: "its schema is \(schema), and this program reads \(Self.schema)")
    }
    self.init(
      name: try fields.string("name"), title: try fields.string("title"),
      licence: try fields.string("licence"),
      madeBy: try fields.string("madeBy"), pixelFormat: try fields.choice("pixelFormat"),
      size: try Self.size(fields), color: try ColorDescription(fields.object("color")),
      frameInterval: try FrameInterval(fields.object("frameInterval")),
      frameCount: try fields.integer("frameCount", in: 0...CorpusLimits.frames),
      durationNanoseconds: try fields.integer(
        "durationNanoseconds", in: 0...CorpusLimits.durationNanoseconds),
      mountAngle: try Self.rotation(fields), isMirrored: try fields.bool("mirrored"),
      exposureEdge: try Self.exposureEdge(fields), isStills: try fields.bool("stills"))
    try readCharts(fields)
    // The digests are read one by one by `CorpusDigests`. A manifest without them is invalid.
    _ = try fields.object("digests")
    if fields.has("madeWith") { madeWith = try Self.strings("madeWith", fields) }
  }

  private static func size(_ fields: JSONFields) throws(JSONError) -> PixelSize {
    let size = PixelSize(
      width: try fields.integer("width", in: 1...CorpusLimits.side),
      height: try fields.integer("height", in: 1...CorpusLimits.side))
    guard size.area <= CorpusLimits.area else {
      throw JSONError(reason: "width and height give \(size.area) pixels, more than \(CorpusLimits.area)")
    }
    return size
  }

  private static func rotation(_ fields: JSONFields) throws(JSONError) -> Rotation {
    let degrees = try fields.integer("mountAngle", in: 0...270)
    guard let rotation = Rotation(rawValue: degrees) else {
      throw JSONError(reason: "mountAngle must be 0, 90, 180 or 270")
    }
    return rotation
  }

  private static func exposureEdge(_ fields: JSONFields) throws(JSONError) -> ExposureEdge {
    guard let edge = ExposureEdge(rawValue: try fields.string("exposureEdge")) else {
      throw JSONError(reason: "exposureEdge must be startOfExposure or endOfFrame")
    }
    return edge
  }

  private static func strings(_ key: String, _ fields: JSONFields) throws(JSONError) -> [String] {
    var strings: [String] = []
    for value in try fields.array(key, atMost: 100) {
      guard case .string(let text) = value, text.utf8.count <= CorpusLimits.textBytes else {
        throw JSONError(reason: "\(key) must be a list of strings of at most \(CorpusLimits.textBytes) bytes")
      }
      strings.append(text)
    }
    return strings
  }

  private mutating func readCharts(_ fields: JSONFields) throws(JSONError) {
    if fields.has("timeCode") {
      timeCode = try ChartRect(fields.members["timeCode"], name: "timeCode", inside: size)
    }
    guard fields.has("fiducials") else { return }
    for value in try fields.array("fiducials", atMost: 64) {
      fiducials.append(try ChartRect(value, name: "fiducials", inside: size))
    }
  }

  /// - Parameter digests: the digests of all files but `corpus.json`, by name.
  func json(digests: [String: String] = [:]) -> JSONValue {
    var members: [String: JSONValue] = [
      "schema": .string(Self.schema), "name": .string(name), "title": .string(title),
      "licence": .string(licence),
      "madeBy": .string(madeBy), "pixelFormat": .string(pixelFormat.rawValue),
      "width": .integer(Int64(size.width)), "height": .integer(Int64(size.height)),
      "color": .object([
        "matrix": .string(color.matrix.rawValue), "range": .string(color.range.rawValue),
      ]),
      "frameInterval": .object([
        "numerator": .integer(Int64(frameInterval.numerator)),
        "denominator": .integer(Int64(frameInterval.denominator)),
      ]),
      "frameCount": .integer(Int64(frameCount)), "durationNanoseconds": .integer(durationNanoseconds),
      "mountAngle": .integer(Int64(mountAngle.rawValue)), "mirrored": .bool(isMirrored),
      "exposureEdge": .string(exposureEdge.rawValue), "stills": .bool(isStills),
      "digests": .object(digests.mapValues { .string($0) }),
    ]
    if !madeWith.isEmpty { members["madeWith"] = .array(madeWith.map { .string($0) }) }
    if let timeCode { members["timeCode"] = timeCode.json }
    if !fiducials.isEmpty { members["fiducials"] = .array(fiducials.map(\.json)) }
    return .object(members)
  }
}

extension ColorDescription {
  init(_ fields: JSONFields) throws(JSONError) {
    self.init(matrix: try fields.choice("matrix"), range: try fields.choice("range"))
  }
}

extension FrameInterval {
  /// Reads an interval from 0.1 ms to an hour.
  init(_ fields: JSONFields) throws(JSONError) {
    let interval = FrameInterval(
      numerator: try fields.integer("numerator", in: 1...1_000_000_000),
      denominator: try fields.integer("denominator", in: 1...1_000_000_000))
    guard (100_000...3_600_000_000_000).contains(interval.nanoseconds) else {
      throw JSONError(reason: "frameInterval must be from 0.1 ms to an hour")
    }
    self = interval
  }
}

extension ChartRect {
  /// Reads four integers: x, y, width, height.
  init(_ value: JSONValue?, name: String, inside size: PixelSize) throws(JSONError) {
    guard case .array(let values)? = value, values.count == 4,
      case .integer(let x) = values[0], case .integer(let y) = values[1],
      case .integer(let width) = values[2], case .integer(let height) = values[3],
      let x = Int(exactly: x), let y = Int(exactly: y), let width = Int(exactly: width),
      let height = Int(exactly: height),
      case let rect = ChartRect(x: x, y: y, width: width, height: height), rect.isInside(size)
    else { throw JSONError(reason: "\(name) must be x, y, width, height inside the \(size) picture") }
    self = rect
  }

  var json: JSONValue { .array([x, y, width, height].map { .integer(Int64($0)) }) }
}
