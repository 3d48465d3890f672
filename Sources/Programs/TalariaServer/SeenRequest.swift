import HTTPService

/// A received request, for a test of its client.
public struct SeenRequest: Sendable, Equatable, Codable {
  /// A field of the request's form.
  public struct Field: Sendable, Equatable, Codable {
    public var name: String
    public var fileName: String?
    public var mediaType: String?
    /// The size of its content in bytes.
    public var size: Int
  }

  /// The time at which the request had been read completely, in seconds of the monotonic clock.
  public var time: Double
  /// The number of the connection, from 1. Requests with equal numbers arrived on the same connection.
  public var connection: Int
  public var method: String
  /// The path without the query.
  public var path: String
  /// The headers, with names in lower case. `X-Device-ID` is left out, because it is a secret.
  public var headers: [String: String]
  /// The fields of the form. Empty if the body is not a form.
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
  /// The fields of a `multipart/form-data` body. Empty if the body is not one.
  var form: [FormPart] {
    let type = headers["content-type"] ?? ""
    guard type.hasPrefix("multipart/form-data;"), let boundary = type.split(separator: "boundary=").last
    else { return [] }
    let bare = boundary.drop { $0 == "\"" }.prefix { $0 != "\"" }
    return (try? MultipartBody.parse(body, boundary: String(bare))) ?? []
  }
}
