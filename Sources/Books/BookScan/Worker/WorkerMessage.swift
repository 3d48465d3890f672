import FoundationEssentials
import Imagery

/// The messages in the frames of a `WorkerChannel`, as JSON.
enum WorkerMessage {
  /// The version of the messages, raised with every change below. Programs of different versions refuse to talk to each other.
  static let version = 5

  /// The first message to a worker.
  struct Settings: Codable {
    var choice: RecognizerChoice
    /// The most bytes that the worker may allocate.
    var memoryLimit: Int64
  }

  /// The first message from a worker.
  struct Hello: Codable {
    var version: Int
    var name: String
    var notes: [String]
    /// The reason why the worker cannot read photos; the worker then ends. Nil if it can read.
    var error: ScanError?
    /// The processor time since the worker began, seconds.
    var processorSeconds: Double
  }

  /// A request to read a photo, whose bytes follow.
  struct Request: Codable {
    var number: Int
    var level: RecognitionLevel
    /// The text that was read in the photo before. Nil if the photo must be read.
    var reading: TextReading?
    /// Whether the appearance of each record is wanted.
    var withAppearances: Bool
  }

  struct Answer: Codable {
    var number: Int
    var findings: PhotoFindings?
    var error: ScanError?
    /// The processor time since the worker began, seconds.
    var processorSeconds: Double
    /// Whether the worker holds so much memory that a new worker must read the next photo.
    var isSpent = false
  }

  /// Encodes a message.
  /// - Throws: only for numbers that JSON cannot express.
  static func bytes(_ message: some Encodable) throws -> [UInt8] {
    [UInt8](try JSONEncoder().encode(message))
  }

  /// Decodes a message. Returns nil if the bytes are no such message.
  static func read<Message: Decodable>(_ bytes: [UInt8], as type: Message.Type) -> Message? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}

extension WorkerMessage.Hello {
  var isSound: Bool {
    version == WorkerMessage.version && Soundness.isSentence(name) && notes.count <= 20
      && notes.allSatisfy(Soundness.isSentence) && Soundness.isSentence(error?.description ?? "")
      && Soundness.isTime(processorSeconds)
  }
}

extension WorkerMessage.Answer {
  var isSound: Bool {
    (findings == nil) != (error == nil) && Soundness.isSentence(error?.description ?? "")
      && Soundness.isTime(processorSeconds) && findings.map(Soundness.isSound) ?? true
  }
}

/// Checks on messages of a worker. They are checked like any input from outside, because a picture may have taken control of the
/// worker.
private enum Soundness {
  private static func isText(_ text: String, _ limit: Int) -> Bool { text.utf8.count <= limit }
  /// Whether a text has at most a megabyte. It may hold arguments of the command several times, each of up to 128 KB: the models'
  /// folder, or Tesseract's languages.
  static func isSentence(_ text: String) -> Bool { isText(text, 1 << 20) }
  static func isTime(_ seconds: Double) -> Bool { seconds >= 0 && seconds < 1e9 }
  private static func isShare(_ value: Double) -> Bool { (0...1.001).contains(value) }
  private static func isPlace(_ values: Double...) -> Bool { values.allSatisfy { abs($0) < 1e6 } }

  static func isSound(_ findings: PhotoFindings) -> Bool {
    isSentence(findings.recognizer) && (1...ImageLimits.side).contains(findings.size.width)
      && (1...ImageLimits.side).contains(findings.size.height)
      && findings.lines.count <= 20_000 && findings.lines.allSatisfy(isSound)
      && findings.spines.count <= 5000 && findings.spines.allSatisfy(isSound)
      && findings.spines.allSatisfy { $0.certainty != .unlikely }
      && findings.unlikely.count <= 5000 && findings.unlikely.allSatisfy(isSound)
      && findings.unlikely.allSatisfy { $0.certainty == .unlikely }
      && findings.cost.map(isSound) ?? true && findings.notes.count <= 20
      && findings.notes.allSatisfy(isSentence)
  }

  private static func isSound(_ picture: Data) -> Bool {
    picture.count <= SpineCrop.byteLimit && picture.starts(with: [0xFF, 0xD8, 0xFF])
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
      && spine.appearance?.picture.map(isSound) ?? true
      && spine.isbn.map(BarcodeReader.isISBN) ?? true && spine.parts.count <= 5000
      && spine.parts.allSatisfy { isText($0.text, 4000) && isShare($0.probability) }
  }
}
