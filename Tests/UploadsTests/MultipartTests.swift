import Foundation
import Testing

@testable import HTTPService
@testable import Library
@testable import TalariaServer
@testable import Uploads

@Suite struct MultipartTests {
  static let folder = SharedData.folder("multipart/python-multipart/http")
  /// The vectors, except those with `Content-Transfer-Encoding`, which RFC 7578, section 4.7, deprecates (the parser does not
  /// decode content), and one whose boundary differs from the one in its header.
  static let vectors: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter {
      $0.hasSuffix(".http") && !$0.contains("base64") && !$0.contains("quoted") && !$0.hasPrefix("mixed_case")
    }
    .filter { $0 != "single_field_blocks.http" }.sorted()

  @Test(.enabled(if: !vectors.isEmpty), arguments: vectors)
  func vectorReadsAsExpected(file: String) throws {
    let body = [UInt8](try Data(contentsOf: Self.folder.appending(path: file)))
    let yaml = try String(
      contentsOf: Self.folder.appending(path: file.replacing(".http", with: ".yaml")), encoding: .utf8)
    let boundary = try #require(yaml.firstMatch(of: /boundary: (\S+)/)).1
    if yaml.contains("error:") {
      #expect(throws: MultipartBody.Malformed.self) {
        try MultipartBody.parse(body, boundary: String(boundary))
      }
      return
    }
    let parts = try MultipartBody.parse(body, boundary: String(boundary))
    #expect(parts.map(\.name) == yaml.matches(of: /- name: (\S+)/).map { String($0.1) })
    let contents = yaml.matches(of: /!!binary \|\n((?: +[A-Za-z0-9+\/=]+\n?)+)/).map { match in
      Data(base64Encoded: match.1.filter { !$0.isWhitespace }).map { [UInt8]($0) }
    }
    try #require(contents.count == parts.count)
    #expect(parts.map(\.content) == contents)
  }

  @Test func serverReadsWhatTheClientWrites() throws {
    let image: [UInt8] = [0xFF, 0xD8] + Array("\r\n--swiftwing-\r\n".utf8)
    let form = MultipartForm(.photo(image, metadata: ["shelf": "Ünder \"the\" stairs\r\n"]))
    let parts = try MultipartBody.parse(form.bytes, boundary: form.boundary)
    #expect(parts.map(\.name) == ["shelf", "capturedAt", "image"])
    #expect(String(decoding: parts[0].content, as: UTF8.self) == "Ünder \"the\" stairs\r\n")
    #expect(String(decoding: parts[1].content, as: UTF8.self) == "2023-11-14T22:13:20Z")
    #expect(
      parts[2] == FormPart(name: "image", fileName: "scan.jpg", mediaType: "image/jpeg", content: image))
  }
}
