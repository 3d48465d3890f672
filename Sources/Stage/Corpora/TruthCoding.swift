import JSON

// `truth.json`.
extension CorpusTruth {
  init(_ value: JSONValue) throws(JSONError) {
    let fields = try JSONFields(value)
    let schema = try fields.string("schema")
    guard schema == Self.schema else {
      throw JSONError(reason: "its schema is \(schema), and this program reads \(Self.schema)")
    }
    if fields.has("spines") {
      spines = try fields.list("spines", atMost: 1_000_000) { fields throws(JSONError) in try Spine(fields) }
    }
    if fields.has("views") {
      views = try fields.list("views", atMost: CorpusLimits.frames) { fields throws(JSONError) in
        try View(fields)
      }
    }
    if fields.has("faults") {
      faults = try fields.list("faults", atMost: 100_000) { fields throws(JSONError) in try Fault(fields) }
    }
  }

  var json: JSONValue {
    var members: [String: JSONValue] = ["schema": .string(Self.schema)]
    if !spines.isEmpty { members["spines"] = .array(spines.map(\.json)) }
    if !views.isEmpty { members["views"] = .array(views.map(\.json)) }
    if !faults.isEmpty { members["faults"] = .array(faults.map(\.json)) }
    return .object(members)
  }
}

/// The range of positions in pixels, far beyond any picture or scene.
private let positions = -1e7...1e7

extension CorpusTruth.Spine {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    title = try fields.string("title")
    author = try fields.string("author")
    textAngle = try fields.integer("textAngle", in: 0...359)
    isStacked = fields.has("stacked") ? try fields.bool("stacked") : false
    box = try TruthBox(fields)
    file = fields.has("file") ? try fields.string("file") : nil
  }

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "title": .string(title), "author": .string(author), "textAngle": .integer(Int64(textAngle)),
      "box": .array([box.x, box.y, box.width, box.height].map { .number($0) }),
    ]
    if isStacked { members["stacked"] = .bool(true) }
    if let file { members["file"] = .string(file) }
    return .object(members)
  }
}

extension TruthBox {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    var numbers: [Double] = []
    for value in try fields.array("box", atMost: 4) {
      switch value {
      case .integer(let number): numbers.append(Double(number))
      case .number(let number): numbers.append(number)
      case .null, .bool, .string, .array, .object:
        throw JSONError(reason: "\(fields.name("box")) must be a list of four numbers: x, y, width, height")
      }
    }
    guard numbers.count == 4, numbers.allSatisfy(positions.contains), numbers[2] > 0, numbers[3] > 0 else {
      throw JSONError(
        reason: "\(fields.name("box")) must be a list of four numbers in pixels: x, y, width, height")
    }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

extension CorpusTruth.View {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    file = try fields.string("file")
    x = try fields.number("x", in: positions)
    y = try fields.number("y", in: positions)
    attitude = fields.has("attitude") ? try fields.number("attitude", in: -3600...3600) : nil
  }

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["file": .string(file), "x": .number(x), "y": .number(y)]
    if let attitude { members["attitude"] = .number(attitude) }
    return .object(members)
  }
}

extension CorpusTruth.Fault {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    kind = try fields.choice("kind")
    time = try fields.integer("t", in: 0...CorpusLimits.durationNanoseconds)
    durationNanoseconds = try fields.integer("durationNanoseconds", in: 0...CorpusLimits.durationNanoseconds)
    file = fields.has("file") ? try fields.string("file") : nil
    lostFrames = try fields.integer("lostFrames", in: 0...CorpusLimits.frames)
  }

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "kind": .string(kind.rawValue), "t": .integer(time),
      "durationNanoseconds": .integer(durationNanoseconds),
      "lostFrames": .integer(Int64(lostFrames)),
    ]
    if let file { members["file"] = .string(file) }
    return .object(members)
  }
}
