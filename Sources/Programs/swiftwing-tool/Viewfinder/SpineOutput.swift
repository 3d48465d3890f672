import BookScan
import Capture
import Dock
import Imagery
import JSON
import System

/// Reads the spines in a camera's pictures, one picture at a time. While a picture is read, only the newest other picture is kept.
final class SpineOutput: FrameOutput {
  /// Reads an upright JPEG file. Blocks.
  typealias Reader = @Sendable (_ photo: [UInt8]) throws -> [SpineFinding]

  private let worker: OutputWorker<Frame>
  private let isOn = Locked(true)
  private let reading: SpineBoard

  /// The longer side of the pictures that are read, in pixels.
  static let longSide = 1600

  init(clock: any CaptureClock = SystemClock(), reader: @escaping Reader) {
    let (reading, isOn) = (SpineBoard(reader), isOn)
    self.reading = reading
    worker = OutputWorker(
      name: "spines", clock: clock, capacity: 1, overflow: .replaceOldest, onEnd: { reading.rest() },
      work: { frame in reading.read(frame) { isOn.withLock { $0 } } })
  }

  /// The member `spines` of the state document.
  var value: JSONValue { reading.value(isReading: isOn.withLock { $0 }) }

  /// The box around each spine, in the upright picture.
  var outlines: [DockRect] { reading.outlines }

  /// Sets the function that is called after each picture that was read.
  func observe(_ tell: @escaping @Sendable () -> Void) { reading.observe(tell) }

  /// Turns reading on or off. Turning it off clears the spines that are shown.
  func read(_ isOn: Bool) {
    self.isOn.withLock { $0 = isOn }
    if !isOn { reading.clear() }
  }

  func receive(_ frame: Frame) { if isOn.withLock({ $0 }) { worker.offer(frame) } }
  func begin() throws(ResourceShortage) { try worker.begin() }
  func end() { worker.end() }
}

/// `@unchecked Sendable`: only the worker's thread uses `pipeline`; a lock protects everything else.
private final class SpineBoard: @unchecked Sendable {
  private struct Board {
    var orientation: Int?
    /// The exposure time of the picture that was read.
    var time: MonotonicTime?
    var items: [JSONValue] = []
    var outlines: [DockRect] = []
    var pictures = 0
    /// The titles and authors of all spines that were `sure` in any picture since reading began, without case and punctuation.
    var sure: Set<String> = []
    var trouble: String?
    var tell: @Sendable () -> Void = {}
  }

  private let pipeline = PhotoPipeline(damage: .refuse)
  private let reader: SpineOutput.Reader
  private let board = Locked(Board())

  /// The greatest number of books that are told apart.
  private static let most = 100_000

  init(_ reader: @escaping SpineOutput.Reader) { self.reader = reader }

  func rest() { pipeline.rest() }
  func observe(_ tell: @escaping @Sendable () -> Void) { board.withLock { $0.tell = tell } }
  var outlines: [DockRect] { board.withLock { $0.outlines } }
  func clear() {
    board.withLock {
      ($0.items, $0.outlines, $0.orientation, $0.time, $0.trouble) = ([], [], nil, nil, nil)
      $0.sure = []
    }
  }

  func value(isReading: Bool) -> JSONValue {
    board.withLock { board in
      .object([
        "isReading": .bool(isReading), "orientation": board.orientation.map { .integer(Int64($0)) } ?? .null,
        "time": board.time.map { .number(Double($0.nanoseconds) / 1e6) } ?? .null,
        "items": .array(board.items), "pictures": .integer(Int64(board.pictures)),
        "sureSoFar": .integer(Int64(board.sure.count)),
        "trouble": board.trouble.map { .string($0) } ?? .null,
      ])
    }
  }

  /// Reads a picture.
  /// - Parameter isWanted: called after reading; returns whether the result must still be shown.
  func read(_ frame: Frame, isWanted: () -> Bool) {
    let settings = PhotoSettings(
      longSide: nil, maximumLongSide: SpineOutput.longSide, quality: 90, maximumBytes: nil,
      writesMetadata: false, exposureBias: frame.settings.digitalExposureBias)
    let orientation = frame.orientation.capture
    // A damaged picture is not read; the spines of earlier pictures stay.
    guard let photo = try? pipeline.process(frame.image, orientation: orientation, settings: settings) else {
      return
    }
    let result = Result { try reader(photo.bytes) }
    guard isWanted() else { return }
    let tell = board.withLock { board in
      board.pictures += 1
      board.orientation = orientation.rotation.rawValue
      board.time = frame.exposureTime
      switch result {
      case .success(let spines):
        board.items = spines.prefix(200).enumerated().map {
          Self.item($1, "\(board.pictures)-\($0)", size: photo.size)
        }
        board.outlines = spines.prefix(200).map { Self.rect(around: $0, photo.size) }.filter(\.isUsable)
        board.trouble = nil
        if board.sure.count < Self.most {
          board.sure.formUnion(spines.lazy.filter { $0.certainty == .sure }.prefix(200).map(Self.key))
        }
      case .failure(let error): (board.items, board.outlines, board.trouble) = ([], [], "\(error)")
      }
      return board.tell
    }
    tell()
  }

  /// What a book is told apart by: two readings of it may differ in case and punctuation.
  private static func key(_ spine: SpineFinding) -> String {
    let letters = { (text: String) in text.lowercased().filter { $0.isLetter || $0.isNumber } }
    return "\(letters(spine.title))/\(letters(spine.author ?? ""))"
  }

  private static func rect(around spine: SpineFinding, _ size: PixelSize) -> DockRect {
    let (xs, ys) = (spine.outline.map(\.x), spine.outline.map(\.y))
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return DockRect(
      x: left / Double(max(size.width, 1)), y: top / Double(max(size.height, 1)),
      width: ((xs.max() ?? 0) - left) / Double(max(size.width, 1)),
      height: ((ys.max() ?? 0) - top) / Double(max(size.height, 1)))
  }

  private static func item(_ spine: SpineFinding, _ id: String, size: PixelSize) -> JSONValue {
    func share(_ place: Double, _ whole: Int) -> JSONValue {
      let share = place / Double(max(whole, 1))
      return .number(share.isFinite ? (min(max(share, 0), 1) * 1e4).rounded() / 1e4 : 0)
    }
    func short(_ text: String) -> JSONValue { .string(String(text.prefix(200))) }
    return .object([
      "id": .string(id), "title": short(spine.title), "author": spine.author.map(short) ?? .null,
      "text": short([spine.title, spine.author ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")),
      "certainty": .string(spine.certainty.rawValue),
      "outline": .array(
        spine.outline.prefix(4).map { .array([share($0.x, size.width), share($0.y, size.height)]) }),
    ])
  }
}
