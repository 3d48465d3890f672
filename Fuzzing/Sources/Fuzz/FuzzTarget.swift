/// A reader of untrusted input, and the conditions that must hold for any input. Besides, no reader may crash, hang, or access
/// memory that is not its own; libFuzzer and the address sanitizer notice that.
struct FuzzTarget: Sendable {
  let name: String
  /// The greatest length of an input, in bytes.
  var longest = 4096
  /// The inputs with which fuzzing begins.
  var seeds: [[UInt8]] = []
  /// Files or folders with more seeds, as paths from the root of the checkout. Missing files, and files that are too long, are left
  /// out.
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

/// Ends the process if `condition` is false, which libFuzzer reports as a finding.
func hold(_ condition: @autoclosure () -> Bool, _ what: String) {
  if !condition() { fatalError(what) }
}

/// Divides an input into the values that a reader needs.
struct InputReader {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// Returns the next byte, or 0 at the end of the input.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
  mutating func word() -> UInt32 { (0..<4).reduce(0) { sum, _ in sum << 8 | UInt32(byte()) } }

  /// Returns the next `count` bytes, or fewer at the end of the input.
  mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return UnsafeRawBufferPointer(rebasing: taken)
  }

  mutating func all() -> UnsafeRawBufferPointer { bytes(rest.count) }
}
