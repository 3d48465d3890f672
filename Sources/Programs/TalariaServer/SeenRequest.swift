import HTTPService

/// A request as it came over the wire, for whoever judges a client by it.
public struct SeenRequest: Sendable, Equatable, Codable {
  /// A field of the form that came with it.
  public struct Field: Sendable, Equatable, Codable {
    public var name: String
    public var fileName: String?
    public var mediaType: String?
    /// Bytes of its content.
    public var size: Int
  }

  /// Seconds on the monotonic clock, when all of the request had been read.
  public var time: Double
  /// Counts from 1; requests with the same number came over the same connection.
  public var connection: Int
  public var method: String
  /// Without the query.
  public var path: String
  /// Headers by their names in lower case, but for `X-Device-ID`, which is a secret.
  public var headers: [String: String]
  /// Empty when the body is no form.
  public var fields: [Field]
}

extension SeenRequest {
  init(_ request: IncomingRequest, connection: Int, time: Double) {
    var headers = request.headers
    headers["x-device-id"] = nil
    self.init(
      time: time, connection: connection, method: request.method, path: request.path, headers: headers,
      fields: request.form.map {
        Field(name: $0.name, fileName: $0.fileName, mediaType: $0.mediaType, size: $0.content.count)
      })
  }
}

extension IncomingRequest {
  /// The fields of a `multipart/form-data` body; none when it is no such body.
  var form: [FormPart] {
    let type = headers["content-type"] ?? ""
    guard type.hasPrefix("multipart/form-data;"), let boundary = type.split(separator: "boundary=").last
    else { return [] }
    let bare = boundary.drop { $0 == "\"" }.prefix { $0 != "\"" }
    return (try? MultipartBody.parse(body, boundary: String(bare))) ?? []
  }
}
