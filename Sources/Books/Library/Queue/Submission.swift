public import FoundationEssentials

/// A scan to be delivered: the bytes of one photo or the text read from it, and its metadata.
public struct Submission: Sendable, Equatable {
  /// The content: a photo, or the text read from a photo.
  public enum Content: Sendable, Equatable {
    /// An encoded image and its media type, such as `image/jpeg`; 1 byte to 64 MB.
    case image([UInt8], mediaType: String)
    /// The text read on this machine, one element per line. No image leaves the machine.
    case text([String])
  }

  /// The permanent key of the scan. If submissions are accepted twice under one key, they are one scan, and one job at the backend.
  public var key: UUID
  /// The content. It is on disk when `accept` returns. It is removed once its books are in the library.
  public var content: Content
  /// The time at which the photo was taken.
  public var capturedAt: Date
  /// The file of the photograph, by which a person finds a book again. The path is kept in the library and never sent. Nil if there is no file.
  public var path: String?
  /// The place of the shelf, in a person's words. Like `path`, it is kept in the library.
  public var location: String?
  /// Fields that are sent along in the form: at most 32, of at most 1,024 bytes each. Names consist of ASCII letters, digits, `-` and `_`.
  public var metadata: [String: String]

  /// Creates a submission. By default the photo was taken now and gets a new key. The submission is validated when it is accepted.
  public init(
    key: UUID = UUID(), content: Content, capturedAt: Date = Date(), path: String? = nil,
    location: String? = nil, metadata: [String: String] = [:]
  ) {
    self.key = key
    self.content = content
    self.capturedAt = capturedAt
    self.path = path
    self.location = location
    self.metadata = metadata
  }

  /// The size of the image or the text in bytes.
  var size: Int {
    switch content {
    case .image(let bytes, _): bytes.count
    case .text(let lines): lines.reduce(0) { $0 + $1.utf8.count + 1 }
    }
  }

  /// Checks the limits above.
  /// - Throws: `badInput`, naming the limit that is exceeded.
  func validate() throws(DeliveryError) {
    switch content {
    case .image(let bytes, let mediaType):
      guard (1...ImageFolder.limit).contains(bytes.count) else {
        throw Self.refused(
          "the image has \(bytes.count) bytes, outside 1 to \(ImageFolder.limit)", "give an image within them"
        )
      }
      guard Self.isToken(mediaType, also: "/.+") else {
        throw Self.refused(
          "its media type “\(mediaType.prefix(64))” is not valid", "give one such as image/jpeg")
      }
    case .text(let lines):
      guard !lines.isEmpty, size <= 1 << 20 else {
        throw Self.refused(
          "it has no text, or more than 1 MB", "give a line or more, of at most 1 MB together")
      }
    }
    guard metadata.count <= 32, metadata.allSatisfy({ Self.isToken($0.key) && $0.value.utf8.count <= 1024 })
    else {
      throw Self.refused(
        "its metadata has over 32 values, a value over 1024 bytes, or a name not of letters, digits, - and _",
        "give metadata within these limits")
    }
  }

  private static func isToken(_ text: String, also extra: String = "") -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
          || byte == 95
          || extra.utf8.contains(byte)
      }
  }

  private static func refused(_ reason: String, _ remedy: String) -> DeliveryError {
    DeliveryError(.badInput, "accept a scan", reason: reason, remedy: remedy)
  }
}
