import HTTPService

/// A part of a `multipart/form-data` body.
public struct FormPart: Sendable, Equatable {
  public var name: String
  public var fileName: String?
  public var mediaType: String?
  public var content: [UInt8]
}

/// Parses `multipart/form-data` (RFC 7578 on RFC 2046, section 5.1). Headers and boundaries are parsed strictly; content is not changed.
public enum MultipartBody {
  public struct Malformed: Error, Equatable {}

  /// The maximum number of parts in a body.
  static let partLimit = 100

  /// - Throws: `Malformed` if the body does not begin with the boundary, has an invalid header, or lacks its end.
  public static func parse(_ body: [UInt8], boundary: String) throws(Malformed) -> [FormPart] {
    let opening = Array("--\(boundary)".utf8)
    let delimiter = Array("\r\n--\(boundary)".utf8)
    var at = body.prefix { $0 == 13 || $0 == 10 }.count
    guard !boundary.isEmpty, body[at...].starts(with: opening) else { throw Malformed() }
    at += opening.count
    var parts: [FormPart] = []
    while !body[at...].starts(with: Array("--".utf8)) {
      guard parts.count < partLimit, body[at...].starts(with: [13, 10]),
        let end = endOfPart(body, from: at, delimiter)
      else { throw Malformed() }
      parts.append(try part(of: body, (at + 2)..<max(end, at + 2)))
      at = end + delimiter.count
    }
    return parts
  }

  /// The index of the next delimiter that is followed by a line end or `--`.
  private static func endOfPart(_ body: [UInt8], from start: Int, _ delimiter: [UInt8]) -> Int? {
    var at = start
    while let found = body.firstIndex(of: delimiter, from: at) {
      let rest = body[(found + delimiter.count)...]
      if rest.starts(with: [13, 10]) || rest.starts(with: [45, 45]) { return found }
      at = found + 1
    }
    return nil
  }

  private static func part(of body: [UInt8], _ range: Range<Int>) throws(Malformed) -> FormPart {
    guard let end = body.firstIndex(of: [13, 10, 13, 10], from: range.lowerBound, upTo: range.upperBound)
    else {
      throw Malformed()
    }
    var headers: [String: String] = [:]
    var rest = body[range.lowerBound..<end]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 13 }
      rest = rest[line.endIndex...]
      guard rest.isEmpty || rest.starts(with: [13, 10]) else { throw Malformed() }
      rest = rest.dropFirst(2)
      let (name, value) = try header(line)
      headers[name] = value
    }
    let disposition = headers["content-disposition"] ?? ""
    guard let name = parameter("name", of: disposition) else { throw Malformed() }
    return FormPart(
      name: name, fileName: parameter("filename", of: disposition), mediaType: headers["content-type"],
      content: Array(body[(end + 4)..<range.upperBound]))
  }

  /// Parses a header. Its name must be a token (RFC 9110, section 5.6.2).
  private static func header(_ line: ArraySlice<UInt8>) throws(Malformed) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPToken.isOne(line[..<colon]),
      !line.contains(10)
    else { throw Malformed() }
    let value = line[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
    return (
      String(decoding: line[..<colon], as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self)
    )
  }

  private static func parameter(_ name: String, of disposition: String) -> String? {
    for piece in disposition.split(separator: ";").dropFirst() {
      let piece = piece.drop { $0 == " " }
      guard piece.hasPrefix("\(name)=") else { continue }
      let value = piece.dropFirst(name.count + 1)
      return value.hasPrefix("\"") ? String(value.dropFirst().prefix { $0 != "\"" }) : String(value)
    }
    return nil
  }
}
