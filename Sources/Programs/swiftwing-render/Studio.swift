import Corpora
import Imagery

/// Makes the bundled corpora.
struct Studio {
  static let names = ["shelf-pan", "turn", "turn-mirrored", "stills-12mp", "trouble"]

  init() throws { _ = try FontLibrary() }

  func make(_ name: String, in folder: String, isReplacing: Bool) throws {
    let recording = DrawnRecording(name: name, directory: "\(folder)/\(name)", isReplacing: isReplacing)
    switch name {
    case "shelf-pan": try ShelfPan().record(recording)
    case "turn": try TurnOfDevice(mountAngle: .clockwise90, isMirrored: false).record(recording)
    case "turn-mirrored": try TurnOfDevice(mountAngle: .clockwise270, isMirrored: true).record(recording)
    case "stills-12mp": try Stills().record(recording)
    case "trouble": try Trouble().record(recording)
    default:
      throw CorpusError(
        .notFound, "make the corpus \(name)", reason: "no corpus of that name can be drawn",
        remedy: "choose from \(Self.names.joined(separator: ", "))")
    }
  }
}
