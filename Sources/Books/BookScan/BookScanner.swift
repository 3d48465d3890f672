public import Imagery

/// The findings in one photo.
public struct PhotoFindings: Sendable, Codable {
  /// The recogniser that read the photo, with its version.
  public var recognizer: String
  /// The size of the upright photo, pixels.
  public var size: PixelSize
  /// Every line of text that was read, including lines on no spine. Empty if there is none.
  public var lines: [TextLine]
  /// The books found by lines and barcodes, both sure and doubtful, in no particular order. Empty if there is none.
  public var spines: [SpineFinding]
  /// The records that are probably no books, kept apart for a person to review. The certainty of each is `unlikely`.
  public var unlikely: [SpineFinding]
  /// Sentences for the user: each says what could not be read, and the remedy.
  public var notes: [String] = []
  /// The processor time by stage; nil if it was not measured.
  public var cost: ReadingCost?

  /// Creates findings; nothing is checked. ``BookScanner`` creates them from a photo. Use this in a test, or with a reader of
  /// your own.
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

/// Finds the books in a photo.
///
/// Recognition runs in the calling process, so a photo that crashes a library ends that process. ``RecognitionWorker`` runs it in
/// a separate process instead.
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

  /// Creates a scanner that reads with `recognizer` in the calling process. Make one and keep it: recognisers load their models
  /// once.
  public init(recognizer: any TextRecognizer) { self.recognizer = recognizer }

  /// Reads one photo.
  /// - Parameter orientation: the turn from the stored pixels to the upright photo.
  /// - Throws: the errors of decoding and of recognition. The next photo may well succeed.
  public func scan(
    _ image: PixelBuffer, orientation: Orientation, level: RecognitionLevel
  ) throws(ScanError) -> PhotoFindings {
    var clock = StageClock()
    let photo = try UprightPhoto(image, orientation: orientation)
    return try scan(photo, decoding: clock.stage(), level: level, reading: nil)
  }

  /// Reads a JPEG or PNG file. It is decoded once.
  /// - Parameters:
  ///   - reading: the text in the photo, if it was read before; nil to read it now.
  ///   - withAppearances: whether the findings tell the appearance of each record.
  package func scan(
    _ file: [UInt8], level: RecognitionLevel, reading: TextReading? = nil, withAppearances: Bool = false
  ) throws(ScanError) -> PhotoFindings {
    var clock = StageClock()
    let photo = try UprightPhoto(file: file)
    var findings = try scan(photo, decoding: clock.stage(), level: level, reading: reading)
    if withAppearances { try findings.addAppearances(in: photo) }
    return findings
  }

  private func scan(
    _ photo: UprightPhoto, decoding: Double, level: RecognitionLevel, reading: TextReading?
  ) throws(ScanError) -> PhotoFindings {
    let read: TextReading
    if let reading { read = reading } else { read = try recognizer.read(photo, level: level) }
    var findings = Self.findings(in: photo, reading: read, level: level)
    findings.cost?.decoding = decoding
    return findings
  }

  /// Returns all records of a photo whose text was read before, judged and with their features. Does not look for barcodes.
  package static func measured(
    in photo: UprightPhoto, lines: [TextLine], level: RecognitionLevel
  ) -> [MeasuredRecord] {
    let finder = SpineFinder(photo: photo, level: level)
    return finder.judged(finder.measured(lines))
  }

  /// Returns the books of a photo whose text was read before.
  /// - Parameter level: the level at which the text was read. At `fast`, a sure record is less reliable.
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
