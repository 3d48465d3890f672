import Glibc
import JSON

/// The digests in `corpus.json`, read one by one on demand, so that a corpus of any length takes the memory of one digest.
public final class CorpusDigests {
  /// The digest of one file.
  public struct Entry: Hashable, Sendable {
    /// The name inside the corpus folder, such as `frames/000001.jpg`.
    public var file: String
    /// The digest: `sha256:` and 64 hexadecimal digits.
    public var digest: String
  }

  private let path: String
  private let source: FileBytes
  private var splitter = ManifestSplitter()
  /// The part of the document read so far, without its digests.
  var rest: [UInt8] { splitter.rest }
  /// Number of digests read so far.
  private(set) var count = 0

  init(_ directory: CorpusDirectory) throws(CorpusError) {
    path = "\(directory.path)/corpus.json"
    source = try FileBytes(directory, "corpus.json", limit: CorpusLimits.manifestBytes)
  }

  /// Returns the next digest, in the order of the file. Nil after the last.
  /// - Throws: `CorpusError` if the digest is invalid, or if the file has too many digests. Nothing more can be read after that.
  public func next() throws(CorpusError) -> Entry? {
    while let byte = try source.next() {
      do throws(JSONError) {
        guard let text = try splitter.take(byte) else { continue }
        count += 1
        guard count <= CorpusLimits.files else {
          throw JSONError(
            reason: "its digests name more than \(CorpusLimits.files) files, the limit of a corpus")
        }
        return try Self.entry(text)
      } catch { throw .manifest(path, error) }
    }
    return nil
  }

  /// Returns the rest of the document, after reading all remaining digests.
  func manifest() throws(CorpusError) -> CorpusManifest {
    while try next() != nil {}
    do throws(JSONError) { return try CorpusManifest(JSONParser.parse(rest)) } catch {
      throw .manifest(path, error)
    }
  }

  /// - Parameter text: a member such as `"name": "digest"`.
  private static func entry(_ text: [UInt8]) throws(JSONError) -> Entry {
    let object = [UInt8(ascii: "{")] + text + [UInt8(ascii: "}")]
    let fields: JSONFields
    do throws(JSONError) { fields = try JSONFields(JSONParser.parse(object)) } catch {
      throw JSONError(reason: "one of its digests is damaged: \(error.reason)")
    }
    guard let (file, value) = fields.members.first, fields.members.count == 1,
      case .string(let digest) = value, Digest.isWellFormed(digest)
    else {
      let name = fields.members.keys.first ?? ""
      throw JSONError(
        reason:
          "the digest of the file \"\(name.prefix(200))\" is not sha256: and 64 lower-case hexadecimal digits"
      )
    }
    return Entry(file: file, digest: digest)
  }
}

/// Separates the bytes of `corpus.json` into the digests, of which there may be many, and the rest of the
/// document. It only finds where each part ends; whether a part is JSON is left to the parser.
struct ManifestSplitter {
  /// The document with an empty object of digests.
  private(set) var rest: [UInt8] = []
  private var entry: [UInt8] = []
  private var isInDigests = false
  private var hasComma = false
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The range in `rest` of the last string in the outermost object.
  private var name = 0..<0
  /// Whether the last byte other than white space was the colon after the name `digests`.
  private var awaitsDigests = false

  /// - Returns: the whole digest that ends before `byte`; nil if no digest ends before it.
  mutating func take(_ byte: UInt8) throws(JSONError) -> [UInt8]? {
    if isInDigests { return try takeDigest(byte) }
    rest.append(byte)
    guard rest.count <= CorpusLimits.manifestRestBytes else {
      throw JSONError(
        reason:
          "the file has more than \(CorpusLimits.manifestRestBytes) bytes besides its digests, the limit")
    }
    guard !passString(byte) else { return nil }
    switch byte {
    case UInt8(ascii: "\""):
      if depth == 1 { name = rest.count..<rest.count }
    case UInt8(ascii: ":"):
      awaitsDigests = depth == 1 && rest[name].elementsEqual("digests".utf8)
      return nil
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      isInDigests = awaitsDigests && byte == UInt8(ascii: "{")
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    case 0x20, 0x09, 0x0A, 0x0D: return nil
    default: break
    }
    awaitsDigests = false
    return nil
  }

  private mutating func takeDigest(_ byte: UInt8) throws(JSONError) -> [UInt8]? {
    let isEnd = !isInString && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}"))
    guard isEnd else {
      entry.append(byte)
      guard entry.count <= CorpusLimits.lineBytes else {
        throw JSONError(
          reason: "one entry of its digests has more than \(CorpusLimits.lineBytes) bytes, the limit")
      }
      _ = passString(byte)
      return nil
    }
    let text = entry
    entry.removeAll(keepingCapacity: true)
    let isLast = byte == UInt8(ascii: "}")
    if isLast {
      rest.append(byte)
      depth -= 1
      isInDigests = false
    }
    let isEmpty = text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if isEmpty, isLast, !hasComma { return nil }
    hasComma = !isLast
    return text
  }

  /// Returns whether the byte belongs to a string or ends one. The byte that begins a string does not count.
  private mutating func passString(_ byte: UInt8) -> Bool {
    guard isInString else {
      isInString = byte == UInt8(ascii: "\"")
      return false
    }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      if depth == 1, !isInDigests { name = name.lowerBound..<rest.count - 1 }
    }
    return true
  }
}

/// The bytes of a corpus file, one by one.
final class FileBytes {
  private let path: String
  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer
  private var unread = 0..<0
  private var left = 0

  init(_ directory: CorpusDirectory, _ name: String, limit: Int) throws(CorpusError) {
    path = "\(directory.path)/\(name)"
    descriptor = try directory.openFile(name)
    buffer = .allocate(byteCount: 65_536, alignment: 64)
    // All properties are set here, so that `deinit` cleans up if this throws.
    left = try directory.size(of: descriptor, name: name, limit: limit)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Returns the next byte. Nil at the end of the file as it was when it was opened.
  func next() throws(CorpusError) -> UInt8? {
    if unread.isEmpty {
      unread = 0..<(try piece().count)
      if unread.isEmpty { return nil }
    }
    defer { unread = unread.lowerBound + 1..<unread.upperBound }
    return buffer[unread.lowerBound]
  }

  /// Returns some of the next bytes, valid until the next call. Empty after the last.
  func piece() throws(CorpusError) -> UnsafeRawBufferPointer {
    var count = 0
    repeat {
      count = read(descriptor, buffer.baseAddress, min(buffer.count, left))
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .reading(path, errno) }
    left -= count
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }
}

extension CorpusError {
  fileprivate static func manifest(_ path: String, _ error: JSONError) -> CorpusError {
    CorpusError(
      .malformed, "read \(path)", reason: error.reason, remedy: "correct it or make the corpus again")
  }
}
