import Foundation
import JSON
import System
import Testing
import ViewfinderPage

@testable import RemoteControl

/// The document that a browser shows. `scripts/check-viewfinder` tests in a browser how it behaves.
@Suite struct PageDocumentTests {
  private let text = String(decoding: PageDocument.bytes, as: UTF8.self)

  private static let parts = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Viewfinder/ViewfinderPage/Parts").standardized

  private static func part(_ file: URL) throws -> String {
    let text = try String(contentsOf: file, encoding: .utf8)
    guard file.pathExtension == "js" else { return text }
    return text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("//") }
      .joined(separator: "\n")
  }

  private static func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: parts, includingPropertiesForKeys: nil)
  }

  /// Without this test, only a user of a part would notice that it is missing in the document.
  @Test func everyPartIsInTheDocumentOnce() throws {
    let files = try Self.files()
    #expect(files.count > 20)
    for file in files {
      let part = try Self.part(file)
      #expect(text.components(separatedBy: part).count == 2, "\(file.lastPathComponent)")
    }
  }

  /// The scripts share one scope: a name that two of them declare ends the second before it has done anything.
  @Test func noNameIsDeclaredTwice() throws {
    var places: [Substring: [String]] = [:]
    for file in try Self.files() where file.pathExtension == "js" {
      let script = try String(contentsOf: file, encoding: .utf8)
      for line in script.matches(of: /(?m)^(?:const|let|class|(?:async )?function\*?) +([\w$]+)/) {
        places[line.output.1, default: []].append(file.lastPathComponent)
      }
    }
    #expect(places.count > 100)
    #expect(places.filter { $0.value.count > 1 } == [:])
  }

  /// Lines lose their indentation and comments, so no text may span lines.
  @Test func noTextSpansLines() throws {
    for file in try Self.files() where file.pathExtension == "js" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(file.lastPathComponent): \(line)")
      }
    }
  }

  @Test func nothingIsFetchedFromElsewhere() {
    let addresses = text.matches(of: /https?:\/\/[^"'\s)]+/).map { String($0.output) }
    // The namespace of SVG elements looks like an address, but is never requested.
    #expect(addresses.allSatisfy { $0 == "http://www.w3.org/2000/svg" }, "\(addresses)")
    #expect(!text.contains("@import") && !text.contains("url(") && !text.contains("<script src"))
  }

  /// A browser installs a page whose manifest names it, where it starts, and an icon of the promised size.
  @Test func thePageCanBeInstalled() throws {
    #expect(text.contains(#"<link rel="manifest" href="/manifest.json">"#))
    #expect(Reply.policy.contains("manifest-src 'self';") && Reply.policy.contains("img-src 'self' "))
    let manifest = try #require(Reply.forEverybody("/manifest.json"))
    #expect(manifest.type == "application/manifest+json")
    let members = try #require(
      JSONSerialization.jsonObject(with: Data(manifest.bytes)) as? [String: Any])
    for (name, value) in ["start_url": "/", "scope": "/", "display": "standalone"] {
      #expect(members[name] as? String == value, "\(name)")
    }
    #expect((members["short_name"] as? String)?.isEmpty == false)
    let icons = try #require(members["icons"] as? [[String: String]])
    #expect(icons.contains { $0["purpose"] == "any" } && icons.contains { $0["purpose"] == "maskable" })
    for icon in icons {
      let picture = try #require(Reply.forEverybody(icon["src"] ?? ""))
      #expect(picture.type == "image/png" && icon["type"] == "image/png")
      // A PNG's width and height are big-endian, 16 bytes from its start.
      let sides = picture.bytes[16..<24].map { Int($0) }
      let (width, height) = (sides[2] << 8 | sides[3], sides[6] << 8 | sides[7])
      #expect(picture.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && icon["sizes"] == "\(width)x\(height)")
      #expect(width == height && width >= 192)
    }
  }

  /// A closing tag inside a script's text would end the script early.
  @Test func theScriptsEndAtTheirEnds() {
    #expect(text.components(separatedBy: "</script").count == 4)
    #expect(text.components(separatedBy: "</style").count == 2)
    #expect(text.hasSuffix("</html>\n"))
  }

  /// The document for a viewer contains a live picture, unless the picture is large or old.
  @Test func aLivePictureIsInTheDocument() throws {
    let hub = PictureHub()
    hub.publish(["width": .integer(640)], Array("picture".utf8))
    #expect(hub.live == nil)
    let viewer = hub.enter()
    let live = try #require(hub.live)
    let shown = Reply.page(session: "secret", showing: live).bytes
    let element = try #require(
      String(decoding: shown, as: UTF8.self).firstMatch(
        of: /<script id="first" type="text\/plain">secret ([A-Za-z0-9+\/=]+)<\/script>/))
    let message = try #require(Data(base64Encoded: String(element.output.1)))
    #expect(Array(message) == Array(live.message))
    #expect(message.suffix(7) == Data("picture".utf8) && message.contains(UInt8(ascii: "6")))
    hub.publish(["width": .integer(640)], [UInt8](repeating: 1, count: 1 << 18))
    #expect(Reply.page(session: "", showing: hub.live).bytes == PageDocument.bytes(with: "", ""))
    #expect(Reply.page(session: nil, showing: live).bytes == PageDocument.bytes)
    hub.leave(viewer)
    #expect(hub.live == nil)
  }

  /// Text from the camera or the server must never become markup.
  @Test func noMarkupIsMadeOfText() {
    for name in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
      #expect(!text.contains(name), "\(name)")
    }
  }

  /// A separate program computes the digests of the scripts and styles.
  @Test(arguments: ["script", "style"]) func thePolicyAllowsTheOwnAndNoOther(tag: String) throws {
    let contents = text.components(separatedBy: "<\(tag)").dropFirst().compactMap { element in
      element.range(of: ">").flatMap { start in
        element.range(of: "</\(tag)>").map { String(element[start.upperBound..<$0.lowerBound]) }
      }
    }
    // The element of the first picture is no script, and is empty here.
    let own = contents.filter { !$0.isEmpty }
    #expect(own.count == (tag == "script" ? 2 : 1))
    let sources = try own.map { "'sha256-\(try Self.digest(of: $0))'" }.joined(separator: " ")
    #expect(Reply.policy.contains("\(tag)-src \(sources);"), "\(Reply.policy)")
    #expect(!Reply.policy.contains("unsafe"))
    #expect(Reply.page(session: nil).headers["Content-Security-Policy"] == Reply.policy)
  }

  private static func digest(of text: String) throws -> String {
    let folder = try TestFolder()
    folder.write(text, to: "text")
    let said = try ChildProcess.run("sha256sum", ["\(folder.path)/text"], keeping: 64)
    let hex = String(decoding: said.output, as: UTF8.self)
    return Data(
      stride(from: 0, to: 64, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    ).base64EncodedString()
  }
}
