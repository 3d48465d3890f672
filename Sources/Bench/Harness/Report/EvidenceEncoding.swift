import Foundation

extension EvidenceReport {
  /// Maximum size of a picture in bytes, and of a text in characters. A larger picture is replaced by a sentence, a longer text is cut.
  static let sizeLimit = 1_500_000

  init(_ evidence: Evidence) {
    self.init(evidence.title, evidence.content)
    subject = evidence.subject
    failure = evidence.showsFailure
  }

  private init(_ title: String, _ content: Evidence.Content) {
    switch content {
    case .image(let bytes, let mime) where bytes.count <= Self.sizeLimit:
      self.init(kind: .image, title: title, mime: mime, data: bytes.base64EncodedString())
    case .image(let bytes, _):
      self.init(text: "The picture has \(bytes.count) bytes, too many to keep.", title: title)
    case .text(let text):
      self.init(text: String(text.prefix(Self.sizeLimit)), title: title)
    case .timeline(let timeline): self.init(.timeline, timeline, title: title)
    case .curves(let curves): self.init(.curves, curves, title: title)
    }
  }

  private init(_ kind: Kind, _ value: some Encodable, title: String) {
    let data = (try? JSONEncoder().encode(value)) ?? Data()
    self.init(kind: kind, title: title, mime: "application/json", data: String(decoding: data, as: UTF8.self))
  }

  private init(text: String, title: String) {
    self.init(kind: .text, title: title, mime: "text/plain", data: text)
  }

  /// The timeline of this evidence. Nil for other kinds.
  var timeline: Timeline? {
    kind == .timeline ? try? JSONDecoder().decode(Timeline.self, from: Data(data.utf8)) : nil
  }

  /// The curves of this evidence. Nil for other kinds.
  var curves: Curves? {
    kind == .curves ? try? JSONDecoder().decode(Curves.self, from: Data(data.utf8)) : nil
  }
}
