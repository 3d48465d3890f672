/// callgrind's output for one piece of work: events by function, in the format of valgrind's manual ("Callgrind Format
/// Specification"). Unknown kinds of lines are ignored.
struct CallgrindFile {
  /// A function's own cost, its callers and the number of their calls.
  struct Function: Sendable {
    var name: String
    /// The file name of the program or library, without its folder.
    var library: String
    /// The events of the function itself, in the order of `events`.
    var own: [UInt64]
    /// The number of calls, by the name of the caller.
    var callers: [String: UInt64] = [:]
    /// The first event, summed over the function and everything that it called, by the name of the caller.
    var inclusive: [String: UInt64] = [:]
  }

  /// The names of the counted events, such as `Ir`, `Bcm`, `sysCount`.
  private(set) var events: [Substring] = []
  /// The name that the program gave the work; empty if it gave none.
  private(set) var name = ""
  /// The tool's version, such as `callgrind-3.19.0`.
  private(set) var creator = ""
  private(set) var functions: [Function] = []

  /// The greatest number of lines. A file of the whole tool has some 400,000.
  private static let lineLimit = 10_000_000

  /// Parses the text of a file.
  /// - Throws: `CountingError` for another kind of file.
  init(_ text: String) throws(CountingError) {
    var reader = Reader()
    var lines = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      lines += 1
      guard lines <= Self.lineLimit else {
        throw CountingError("callgrind's file has more than \(Self.lineLimit) lines")
      }
      try reader.read(Substring(line))
    }
    guard !reader.events.isEmpty else { throw CountingError("callgrind's file names no events") }
    (events, name, creator) = (reader.events, reader.name, reader.creator)
    functions = reader.functions
  }

  /// Returns the sum of an event over all functions, or those that `isCounted` accepts; 0 for an event that was not counted.
  func total(_ event: Substring, of isCounted: (Function) -> Bool = { _ in true }) -> UInt64 {
    guard let index = events.firstIndex(of: event) else { return 0 }
    return functions.reduce(0) { sum, function in
      index < function.own.count && isCounted(function) ? sum &+ function.own[index] : sum
    }
  }

  /// The sum of instructions, without functions whose count varies between runs.
  var steadyInstructions: UInt64 { total("Ir", of: { !ScatteredFunction.contains($0.name, in: $0.library) }) }

  /// Returns the number of calls of functions with these names, by callers whose names `caller` accepts.
  func calls(of names: Set<String>, by caller: (String) -> Bool = { _ in true }) -> UInt64 {
    functions.filter { names.contains($0.name) }.reduce(0) { sum, function in
      function.callers.reduce(sum) { $0 &+ (caller($1.key) ? $1.value : 0) }
    }
  }
}

/// The reason why counting failed, as a clause.
struct CountingError: Error, Equatable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension CallgrindFile {
  /// Parses the lines in order, and keeps the names that earlier lines defined.
  private struct Reader {
    var events: [Substring] = []
    var name = ""
    var creator = ""
    var functions: [Function] = []
    private var places: [String: Int] = [:]
    private var names: [Space: [Substring: String]] = [:]
    private var library = ""
    private var calledLibrary: String?
    private var called: String?
    private var current: Int?
    /// The called function whose cost is in the next line.
    private var callee: Int?

    private enum Space { case object, function }

    mutating func read(_ line: Substring) throws(CountingError) {
      guard let first = line.utf8.first else { return }
      switch first {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"):
        try cost(line)
      default: try word(line)
      }
    }

    private mutating func word(_ line: Substring) throws(CountingError) {
      guard let end = line.utf8.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") })
      else { return }
      let (key, value) = (line[..<end], line[line.utf8.index(after: end)...].drop { $0 == " " })
      switch key {
      case "events": events = value.split(separator: " ")
      case "creator": creator = String(value)
      case "desc":
        let mark = "Trigger: Client Request: "
        if value.hasPrefix(mark) { name = String(value.dropFirst(mark.count)) }
      case "ob": library = try known(value, .object)
      case "fn": current = place(try known(value, .function), library)
      case "cob": calledLibrary = try known(value, .object)
      case "cfn": called = try known(value, .function)
      case "calls": try call(value)
      default: break
      }
    }

    private mutating func call(_ value: Substring) throws(CountingError) {
      guard let called, let current, let count = value.split(separator: " ").first.flatMap({ UInt64($0) })
      else { throw CountingError("callgrind's file has a line calls= without a function or a count") }
      let place = place(called, calledLibrary ?? library)
      functions[place].callers[functions[current].name, default: 0] &+= count
      (self.called, calledLibrary) = (nil, nil)
      callee = place
    }

    /// Parses a line of a position and the events counted there. After a `calls` line, the events include all that the called
    /// function called.
    private mutating func cost(_ line: Substring) throws(CountingError) {
      guard let current else { return }
      if let callee {
        self.callee = nil
        guard let first = line.split(separator: " ").dropFirst().first, let value = UInt64(first) else {
          throw CountingError("callgrind's file has a line of costs that are not numbers: \(line.prefix(60))")
        }
        functions[callee].inclusive[functions[current].name, default: 0] &+= value
        return
      }
      for (index, word) in line.split(separator: " ").dropFirst().enumerated() {
        guard let value = UInt64(word), index < events.count else {
          throw CountingError("callgrind's file has a line of costs that are not numbers: \(line.prefix(60))")
        }
        functions[current].own[index] &+= value
      }
    }

    private mutating func place(_ name: String, _ library: String) -> Int {
      let key = "\(library)\u{0}\(name)"
      if let place = places[key] { return place }
      places[key] = functions.count
      functions.append(
        Function(name: name, library: library, own: [UInt64](repeating: 0, count: events.count)))
      return functions.count - 1
    }

    /// Returns the name of an entry. `(12) name` defines a numbered name, `(12)` refers to it, and a name without a number is
    /// used as it is.
    private mutating func known(_ value: Substring, _ space: Space) throws(CountingError) -> String {
      guard value.first == "(", let end = value.firstIndex(of: ")") else { return short(value, space) }
      let (number, rest) = (value[..<end], value[value.index(after: end)...].drop { $0 == " " })
      guard !rest.isEmpty else {
        guard let name = names[space]?[number] else {
          throw CountingError(
            "callgrind's file refers to a name by its number, \(value), without defining it")
        }
        return name
      }
      let name = short(rest, space)
      names[space, default: [:]][number] = name
      return name
    }

    /// Returns a library's name without its folder, or a function's name without the mark of a recursion (`'2`).
    private func short(_ name: Substring, _ space: Space) -> String {
      switch space {
      case .object: String(name.split(separator: "/").last ?? name)
      case .function:
        String(
          name.lastIndex(of: "'").map { mark in
            name[name.index(after: mark)...].allSatisfy(\.isNumber) ? name[..<mark] : name
          } ?? name)
      }
    }
  }
}
