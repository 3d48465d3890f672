import FoundationEssentials
import Imagery

/// What is said in the frames of a `WorkerChannel`, as JSON.
enum WorkerMessage {
  /// Raised with every change of what is below: the programs of two builds do not talk to each other.
  static let version = 4

  /// The first thing that a worker is told.
  struct Settings: Codable {
    var choice: RecognizerChoice
    /// Most bytes that the worker may allocate.
    var memoryLimit: Int64
  }

  /// The first thing that a worker says.
  struct Hello: Codable {
    var version: Int
    var name: String
    var notes: [String]
    /// Why it cannot read; then it ends.
    var error: ScanError?
    /// Since it began.
    var processorSeconds: Double
  }

  /// The bytes of the photo follow.
  struct Request: Codable {
    var number: Int
    var level: RecognitionLevel
    /// What is read in it, where only the books are wanted.
    var reading: TextReading?
  }

  struct Answer: Codable {
    var number: Int
    var findings: PhotoFindings?
    var error: ScanError?
    /// Since the worker began.
    var processorSeconds: Double
    /// It holds so much memory that another is to read the next photo.
    var isSpent = false
  }

  /// - Throws: for numbers that are none; nothing else fails.
  static func bytes(_ message: some Encodable) throws -> [UInt8] {
    [UInt8](try JSONEncoder().encode(message))
  }

  /// Nil for what is no such message.
  static func read<Message: Decodable>(_ bytes: [UInt8], as type: Message.Type) -> Message? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}

extension WorkerMessage.Hello {
  var isSound: Bool {
    version == WorkerMessage.version && Soundness.isText(name, 300) && notes.count <= 20
      && notes.allSatisfy { Soundness.isText($0, 2000) } && Soundness.isText(error?.description ?? "", 2000)
      && Soundness.isTime(processorSeconds)
  }
}

extension WorkerMessage.Answer {
  var isSound: Bool {
    (findings == nil) != (error == nil) && Soundness.isText(error?.description ?? "", 2000)
      && Soundness.isTime(processorSeconds) && findings.map(Soundness.isSound) ?? true
  }
}

/// What a worker says is checked like anything from outside: a picture may have made it say anything.
private enum Soundness {
  static func isText(_ text: String, _ limit: Int) -> Bool { text.utf8.count <= limit }
  static func isTime(_ seconds: Double) -> Bool { seconds >= 0 && seconds < 1e9 }
  private static func isShare(_ value: Double) -> Bool { (0...1.001).contains(value) }
  private static func isPlace(_ values: Double...) -> Bool { values.allSatisfy { abs($0) < 1e6 } }

  static func isSound(_ findings: PhotoFindings) -> Bool {
    isText(findings.recognizer, 300) && (1...ImageLimits.side).contains(findings.size.width)
      && (1...ImageLimits.side).contains(findings.size.height)
      && findings.lines.count <= 20_000 && findings.lines.allSatisfy(isSound)
      && findings.spines.count <= 5000 && findings.spines.allSatisfy(isSound)
      && findings.spines.allSatisfy { $0.certainty != .unlikely }
      && findings.unlikely.count <= 5000 && findings.unlikely.allSatisfy(isSound)
      && findings.unlikely.allSatisfy { $0.certainty == .unlikely }
      && findings.cost.map(isSound) ?? true && findings.notes.count <= 20
      && findings.notes.allSatisfy { isText($0, 2000) }
  }

  private static func isSound(_ cost: ReadingCost) -> Bool {
    [cost.decoding, cost.detection, cost.recognition, cost.secondScript, cost.spines].allSatisfy(isTime)
  }

  private static func isSound(_ line: TextLine) -> Bool {
    let region = line.region
    return isText(line.text, 4000) && isShare(line.confidence) && (line.gaps ?? []).allSatisfy { isPlace($0) }
      && isPlace(region.center.x, region.center.y, region.length, region.height, region.angle)
  }

  private static func isSound(_ spine: SpineFinding) -> Bool {
    let box = spine.box
    return isText(spine.title, 8000) && isText(spine.author ?? "", 8000) && isShare(spine.confidence)
      && isShare(spine.fieldsConfidence ?? 0)
      && isPlace(box.x, box.y, box.width, box.height, spine.angle)
      && spine.outline.count == 4 && spine.outline.allSatisfy { isPlace($0.x, $0.y) }
      && spine.isbn.map(BarcodeReader.isISBN) ?? true && spine.parts.count <= 5000
      && spine.parts.allSatisfy { isText($0.text, 4000) && isShare($0.probability) }
  }
}
