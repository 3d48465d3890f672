public import Imagery

/// What was found in one photo.
public struct PhotoFindings: Sendable, Codable {
  /// What read it, with its version.
  public var recognizer: String
  /// Upright, pixels.
  public var size: PixelSize
  /// Every line of text that was read, also those that stand on no spine. Empty when there is none.
  public var lines: [TextLine]
  /// The books that the lines and barcodes make, sure and doubtful ones, in no particular order. Empty when there is none.
  public var spines: [SpineFinding]
  /// What is probably no book, kept apart for a person; all of it is `unlikely`.
  public var unlikely: [SpineFinding]
  /// Sentences for the user about what could not be read, and the remedy.
  public var notes: [String] = []
  /// What it took, stage by stage; nil when it was not measured.
  public var cost: ReadingCost?

  /// Findings as they are. ``BookScanner`` makes them of a photo; you make them in a test, or of a reader of your own.
  public init(
    recognizer: String, size: PixelSize, lines: [TextLine], spines: [SpineFinding],
    unlikely: [SpineFinding] = [], notes: [String] = [], cost: ReadingCost? = nil
  ) {
    self.recognizer = recognizer
    self.size = size
    self.lines = lines
    self.spines = spines
    self.unlikely = unlikely
    self.notes = notes
    self.cost = cost
  }
}

/// A photo goes in, findings come out.
///
/// It reads in the process that runs; ``RecognitionWorker`` reads in one of its own, which a photo may end.
///
/// ```swift
/// let (recognizer, notes) = try RecognizerChoice().makeRecognizer()
/// for note in notes { print(note) }
/// let scanner = BookScanner(recognizer: recognizer)
/// let picture = try ImageFile.read(bytes)
/// let findings = try scanner.scan(picture.image, orientation: picture.orientation, level: .accurate)
/// for spine in findings.spines { print(spine.title, spine.author ?? "") }
/// ```
public struct BookScanner: Sendable {
  private let recognizer: any TextRecognizer

  /// A scanner that reads with `recognizer`, in the process that runs. Make one and keep it: recognisers load their models once.
  public init(recognizer: any TextRecognizer) { self.recognizer = recognizer }

  /// - Parameter orientation: stored pixels → upright.
  /// - Throws: as decoding and recognition do; the next photo may well succeed.
  public func scan(
    _ image: PixelBuffer, orientation: Orientation, level: RecognitionLevel
  ) throws(ScanError) -> PhotoFindings {
    var clock = StageClock()
    let photo = try UprightPhoto(image, orientation: orientation)
    let decoding = clock.stage()
    var findings = Self.findings(
      in: photo, reading: try recognizer.read(photo, level: level), level: level)
    findings.cost?.decoding = decoding
    return findings
  }

  /// Every record of a photo whose text has been read already, judged, with what was measured of it. Barcodes are not looked for.
  package static func measured(
    in photo: UprightPhoto, lines: [TextLine], level: RecognitionLevel
  ) -> [MeasuredRecord] {
    let finder = SpineFinder(photo: photo, level: level)
    return finder.judged(finder.measured(lines))
  }

  /// The books of a photo whose text has been read already.
  /// - Parameter level: at which it was read; what is sure promises less at the fast one.
  public static func findings(
    in photo: UprightPhoto, reading: TextReading, level: RecognitionLevel = .accurate
  ) -> PhotoFindings {
    var clock = StageClock()
    let barcodes = BarcodeReader.isbns(in: photo)
    let records = SpineFinder(photo: photo, level: level).spines(reading.lines, barcodes: barcodes)
    var cost = reading.cost
    cost?.spines = clock.stage()
    return PhotoFindings(
      recognizer: reading.recognizer, size: photo.size, lines: reading.lines,
      spines: records.filter { $0.certainty != .unlikely },
      unlikely: records.filter { $0.certainty == .unlikely }, notes: reading.notes ?? [], cost: cost)
  }
}
