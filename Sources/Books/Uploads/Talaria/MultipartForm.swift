import FoundationEssentials
import Library

/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm {
  private(set) var bytes: [UInt8] = []
  let boundary: String

  /// - Parameter boundary: must not occur in the added content; the random default does not.
  init(boundary: String = "swiftwing-" + UUID().uuidString) { self.boundary = boundary }

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// - Parameters:
  ///   - name: consists of ASCII letters, digits, `-` and `_`, like `fileName` and `mediaType`.
  mutating func add(
    _ name: String, _ content: some Sequence<UInt8>, fileName: String? = nil, mediaType: String? = nil
  ) {
    append("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"")
    if let fileName { append("; filename=\"\(fileName)\"") }
    if let mediaType { append("\r\nContent-Type: \(mediaType)") }
    append("\r\n\r\n")
    bytes.append(contentsOf: content)
    append("\r\n")
  }

  mutating func close() { append("--\(boundary)--\r\n") }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension MultipartForm {
  /// Creates the form of a scan: `image` or `text`, `capturedAt` (ISO 8601), and the submission's metadata.
  init(_ submission: Submission) {
    self.init()
    for (name, value) in submission.metadata.sorted(by: { $0.key < $1.key }) { add(name, value.utf8) }
    add("capturedAt", submission.capturedAt.formatted(.iso8601).utf8)
    switch submission.content {
    case .image(let bytes, let mediaType):
      let ending = mediaType.split(separator: "/").last.map(String.init) ?? "bin"
      add("image", bytes, fileName: "scan.\(ending == "jpeg" ? "jpg" : ending)", mediaType: mediaType)
    case .text(let lines): add("text", lines.joined(separator: "\n").utf8, mediaType: "text/plain")
    }
    close()
  }
}
