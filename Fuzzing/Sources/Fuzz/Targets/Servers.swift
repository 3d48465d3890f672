import Glibc

@testable import HTTPService
@testable import TalariaServer

extension FuzzTarget {
  static let servers = [multipart, request]

  private static let multipart = FuzzTarget(
    name: "multipart",
    seeds: [
      [UInt8](
        "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"scan.jpg\"\r\nContent-Type: image/jpeg\r\n\r\nabc\r\n--bx\r\n--b\r\ncontent-disposition: form-data; name=text\r\n\r\n\r\n--b--\r\n"
      )
    ], files: ["../shared/data/multipart"]
  ) { input in
    guard let parts = try? MultipartBody.parse(Array(input), boundary: "b") else { return }
    hold(parts.count <= 100, "\(parts.count) parts")
    hold(parts.reduce(0) { $0 + $1.content.count } <= input.count, "more content than there was")
  }

  /// Sends the input through a socket, as a client does.
  private static let request = FuzzTarget(
    name: "request",
    seeds: [
      [UInt8](
        "POST /v1/scans?x=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\nabcGET / HTTP/1.1\r\nHost: x\r\n\r\n"
      ), [UInt8]("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]
  ) { input in
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
    send(ends[0], input.baseAddress, input.count, CInt(MSG_NOSIGNAL))
    close(ends[0])
    let limits = ServerLimits()
    var reader = RequestReader(
      channel: Channel(socket: ends[1], limits: limits), limits: limits, budget: Budget(limits.uploadBytes))
    var read = 0
    while let request = try? reader.next() {
      read += request.body.count
      hold(read <= input.count, "more body than there was")
      hold(!request.method.isEmpty && !request.path.contains("?"), "the request line is misread")
    }
  }
}
