/// A reader of something untrusted, and what must hold whatever it is given. Besides, no reader may crash, hang, or touch
/// memory that is not its own: libFuzzer and the address sanitizer look after that.
struct FuzzTarget: Sendable {
  let name: String
  /// Most bytes of an input.
  var longest = 4096
  /// Inputs to begin with.
  var seeds: [[UInt8]] = []
  /// Files or folders that hold more of them, seen from the root of the checkout; those that are missing or too long are
  /// left out.
  var files: [String] = []
  let run: @Sendable (UnsafeRawBufferPointer) -> Void

  static let all = [
    pictures, corpora, films, texts, choices, reports, books, catalogues, streams, servers, viewfinders,
    docks, devices, terminals,
  ].flatMap { $0 }
}

extension [UInt8] {
  init(_ text: StaticString) { self = text.withUTF8Buffer { Array($0) } }
}

/// Ends the process when `condition` does not hold, which libFuzzer reports as a finding.
func hold(_ condition: @autoclosure () -> Bool, _ what: String) {
  if !condition() { fatalError(what) }
}

/// Takes an input apart into what a reader asks for.
struct InputReader {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// Zeros once nothing is left.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
  mutating func word() -> UInt32 { (0..<4).reduce(0) { sum, _ in sum << 8 | UInt32(byte()) } }

  /// At most `count`.
  mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return UnsafeRawBufferPointer(rebasing: taken)
  }

  mutating func all() -> UnsafeRawBufferPointer { bytes(rest.count) }
}
