import FoundationEssentials
import Glibc
import System

/// The characters that a PP-OCR recogniser knows, from the `character` entry in the metadata of its ONNX file.
///
/// ONNX is a Protocol Buffers message (`onnx.proto`: `ModelProto.metadata_props` is field 14, of `StringStringEntryProto` key =
/// 1, value = 2). Only its outermost fields are read.
struct CharacterList {
  /// The characters by class. Class 0 is the blank of CTC, and the last class is the space.
  let characters: [String]

  init(characters: [String]) { self.characters = characters }

  init?(model path: String) {
    // Opening a pipe without a writer would block, so the file must be a regular one.
    guard let file = try? RegularFile.open(path) else { return nil }
    defer { close(file.descriptor) }
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe),
      let list = data.withUnsafeBytes({ CharacterList(metadata: $0) })
    else { return nil }
    self = list
  }

  /// Reads the list; nil if the file has no list.
  /// - Parameter bytes: a whole ONNX file.
  init?(metadata bytes: UnsafeRawBufferPointer) {
    var message = WireMessage(bytes[...])
    var found: String?
    while found == nil, let field = message.next() {
      if field.number == 14 { found = Self.value(of: "character", in: field.payload) }
    }
    guard let found else { return nil }
    var lines = found.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    characters = [""] + lines + [" "]
  }

  private static func value(of key: String, in entry: Slice<UnsafeRawBufferPointer>) -> String? {
    var message = WireMessage(entry)
    var strings: [Int: String] = [:]
    while let field = message.next() {
      strings[field.number] = String(decoding: field.payload, as: UTF8.self)
    }
    return strings[1] == key ? strings[2] : nil
  }
}

/// Reads the fields of a Protocol Buffers message (protobuf.dev, "Encoding"), up to the first unknown wire type or error.
struct WireMessage {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

  /// Returns the next field. The payload of a number is empty.
  mutating func next() -> (number: Int, payload: Slice<UnsafeRawBufferPointer>)? {
    guard let tag = varint() else { return nil }
    let number = Int(truncatingIfNeeded: tag >> 3)
    switch tag & 7 {
    case 0: return varint().map { _ in (number, rest.prefix(0)) }
    case 1: return take(8).map { _ in (number, rest.prefix(0)) }
    case 5: return take(4).map { _ in (number, rest.prefix(0)) }
    case 2:
      guard let count = varint(), count <= UInt64(rest.count) else { return nil }
      return take(Int(count)).map { (number, $0) }
    default: return nil
    }
  }

  private mutating func take(_ count: Int) -> Slice<UnsafeRawBufferPointer>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func varint() -> UInt64? {
    var (value, shift) = (UInt64(0), UInt64(0))
    while shift < 64, let byte = rest.popFirst() {
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
      shift += 7
    }
    return nil
  }
}
