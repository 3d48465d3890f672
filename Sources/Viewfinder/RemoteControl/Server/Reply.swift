import FoundationEssentials
import Glibc
import HTTPService
import Imagery
import JSON
import System
import ViewfinderPage

/// An answer of the server, with the headers that make a browser strict.
struct Reply {
  var status: Int
  var type: String
  var bytes: [UInt8]
  var headers: [String: String]
  /// The part of a file that is sent in place of `bytes`.
  var file: ServedFile?

  init(_ status: Int, bytes: [UInt8], _ type: String, headers: [String: String] = [:]) {
    self.status = status
    self.bytes = bytes
    self.type = type
    self.headers = headers
  }

  /// Creates an answer with one sentence of text.
  init(_ status: Int, _ reason: String, headers: [String: String] = [:]) {
    self.init(status, bytes: Array("\(reason)\n".utf8), "text/plain; charset=utf-8", headers: headers)
  }

  /// Headers by which a page loads nothing from elsewhere, and other sites can neither embed nor read it.
  private static let strict = [
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY",
  ]

  /// The policy by which the page runs only its own two scripts and its own style, even if a text became markup by mistake.
  static let policy =
    "default-src 'none'; script-src \(ContentSecurity.source(of: PageDocument.script)) \(ContentSecurity.source(of: PageDocument.rest)); style-src \(ContentSecurity.source(of: PageDocument.style)); img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  /// The maximum size in bytes of a picture within the page. A larger picture is sent by the picture stream, so that the page need not wait
  /// for it.
  private static let mostOfPicture = 1 << 18

  /// - Parameters:
  ///   - session: the secret of the page's session. Nil for a page that has a secret already, or that is not admitted.
  ///   - picture: the camera's picture now, if known.
  static func page(session: String?, showing picture: PictureHub.Picture? = nil) -> Reply {
    let message = picture.flatMap { $0.message.count <= mostOfPicture ? Data($0.message) : nil }
    let bytes = session.map { session in
      PageDocument.bytes(with: session, message?.base64EncodedString() ?? "")
    }
    return Reply(
      200, bytes: bytes ?? PageDocument.bytes, "text/html; charset=utf-8",
      headers: ["Content-Security-Policy": policy])
  }

  /// What anybody may have at an address, admitted or not: the page without a secret, its manifest, its icon. Nil for every other address.
  static func forEverybody(_ path: String) -> Reply? {
    if path.isExactly("/") { return .page(session: nil) }
    return PageDocument.installation.first { path.isExactly($0.key) }
      .map { Reply(200, bytes: $0.value.bytes, $0.value.type) }
  }

  /// Sends the answer.
  /// - Returns: whether the whole answer was sent, so that another request may follow.
  @discardableResult func send(_ channel: Channel, isLast: Bool, headOnly: Bool = false) -> Bool {
    let length = file?.length ?? bytes.count
    var head = "HTTP/1.1 \(status) -\r\nContent-Type: \(type)\r\nContent-Length: \(length)\r\n"
    for (name, value) in headers.merging(Self.strict, uniquingKeysWith: { own, _ in own }).sorted(by: {
      $0.key < $1.key
    }) {
      head += "\(name): \(value)\r\n"
    }
    head += isLast ? "Connection: close\r\n\r\n" : "\r\n"
    guard channel.write(Array(head.utf8) + (headOnly || file != nil ? [] : bytes)) else { return false }
    if let file, !headOnly, !file.send(channel) { return false }
    return !isLast
  }
}

/// A part of an open file.
final class ServedFile: Sendable {
  let length: Int
  private let descriptor: CInt
  private let start: Int

  init(descriptor: CInt, start: Int, length: Int) {
    self.descriptor = descriptor
    self.start = start
    self.length = length
  }

  deinit { close(descriptor) }

  func send(_ channel: Channel) -> Bool {
    var (at, left) = (start, length)
    while left > 0 {
      let want = min(left, 1 << 18)
      var got = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: want) { buffer, count in
        got = pread(descriptor, buffer.baseAddress, want, off_t(at))
        count = max(got, 0)
      }
      guard got > 0, channel.write(bytes) else { return false }
      at += got
      left -= got
    }
    return true
  }
}

extension Reply {
  /// The file types that are served, by extension.
  private static let types = [
    ".mp4": "video/mp4", ".m4v": "video/mp4", ".mov": "video/quicktime", ".jpg": "image/jpeg",
  ]

  static func json(_ value: JSONValue) -> Reply {
    Reply(200, bytes: JSONSerializer.line(value), "application/json")
  }

  private static let noFile = Reply(
    404, "there is no such file; the viewfinder's page lists those that it has")

  /// Opens a file of a folder by its name, as a request gives it. Paths, links and hidden files are refused.
  /// - Returns: nil if there is no such file. The caller must close the descriptor.
  private static func opened(
    _ encoded: String, in folder: String
  ) -> (descriptor: CInt, size: Int, type: String)? {
    guard let name = decoded(encoded), name.isPlainFileName,
      let type = types.first(where: { name.smallASCII.ends(exactly: $0.key) })?.value
    else { return nil }
    let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    return (descriptor, Int(status.st_size), type)
  }

  /// Describes a photo of a folder, from the head of its file.
  static func report(_ encoded: String, in folder: String) -> Reply {
    guard let (descriptor, size, type) = opened(encoded, in: folder) else { return noFile }
    defer { close(descriptor) }
    let most = min(size, PhotoReport.mostBytes)
    let head = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = max(pread(descriptor, buffer.baseAddress, most, 0), 0)
    }
    guard type == "image/jpeg" else { return noFile }
    do throws(ImageError) { return json(try PhotoReport.document(of: head)) } catch {
      return Reply(415, "the photo cannot be read: \(error)")
    }
  }

  /// Serves a file of a folder by its name.
  /// - Parameter range: the value of a `Range` header. One byte range is supported; anything else is answered with the whole file.
  static func file(_ encoded: String, in folder: String, range: String?) -> Reply {
    guard let (descriptor, size, type) = opened(encoded, in: folder) else { return noFile }
    var reply = Reply(200, bytes: [], type, headers: ["Accept-Ranges": "bytes"])
    switch ByteRange(range, size: size) {
    case .whole: reply.file = ServedFile(descriptor: descriptor, start: 0, length: size)
    case .part(let part):
      reply.status = 206
      reply.headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
      reply.file = ServedFile(descriptor: descriptor, start: part.lowerBound, length: part.count)
    case .none:
      close(descriptor)
      return Reply(
        416, "the file does not have this range of bytes", headers: ["Content-Range": "bytes */\(size)"])
    }
    return reply
  }

  /// The text with its percent-encoding decoded. Nil if the encoding or the UTF-8 is invalid.
  static func decoded(_ text: String) -> String? {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
        return nil
      }
      rest = rest.dropFirst(2)
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The bytes that a `Range` header requests of a file of a given size (RFC 9110, section 14).
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  /// The file has none of the requested bytes.
  case none

  init(_ header: String?, size: Int) {
    guard let header, header.begins(exactly: "bytes="), !header.holds(",") else {
      self = .whole
      return
    }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else {
      self = .whole
      return
    }
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, let last?) where ends[0].isEmpty:
      self = last > 0 && size > 0 ? .part(max(0, size - last)..<size) : .none
    case (let first?, let last):
      let end = min(last.map { $0 < Int.max ? $0 + 1 : $0 } ?? size, size)
      self = first < end ? .part(first..<end) : .none
    case (nil, _): self = .whole
    }
  }
}
