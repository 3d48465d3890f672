import Corpora
import Glibc
import Imagery

/// Makes corpora. Holds the fonts.
final class Studio {
  static let names = ["shelf-pan", "turn", "turn-mirrored", "stills-12mp", "trouble"]

  private let cache: String

  init() throws {
    var template = Array("/tmp/swiftwing-fonts-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CorpusError(
        .system, "make a folder in /tmp", reason: String(cString: strerror(errno)), remedy: "make room there")
    }
    cache = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    _ = try FontLibrary(cacheFolder: cache)
  }

  deinit { FolderTree.remove(cache) }

  func make(_ name: String, in folder: String, isReplacing: Bool) throws {
    let recording = Recording(name: name, directory: "\(folder)/\(name)", isReplacing: isReplacing)
    switch name {
    case "shelf-pan": try ShelfPan().record(recording)
    case "turn": try TurnOfDevice(mountAngle: .clockwise90, isMirrored: false).record(recording)
    case "turn-mirrored": try TurnOfDevice(mountAngle: .clockwise270, isMirrored: true).record(recording)
    case "stills-12mp": try Stills().record(recording)
    case "trouble": try Trouble().record(recording)
    default:
      throw CorpusError(
        .notFound, "make the corpus \(name)", reason: "there is none of that name",
        remedy: "choose from \(Self.names.joined(separator: ", "))")
    }
  }
}
