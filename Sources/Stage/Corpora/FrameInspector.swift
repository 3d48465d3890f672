import Charts
import Imagery
import System

/// The check of every frame in a corpus against the manifest and the truth.
struct FrameInspector {
  private let corpus: Corpus
  private let truth: CorpusTruth
  private let faults: [ExactText: CorpusTruth.Fault.Kind]
  private let attitudes: [ExactText: Double]
  private let converter = ImageConverter(pool: PixelBufferPool())
  /// Sizes of the upright pictures that the truth names, by file.
  private var uprightSizes: [ExactText: PixelSize] = [:]
  /// Files that the truth names and that have not been found in the track yet.
  private var unseen: Set<ExactText>
  private let named: Set<ExactText>
  /// For each fault of the truth, the frames of the track around its time.
  private var surroundings: [FaultNeighbours]
  var verification: CorpusVerification

  init(_ corpus: Corpus, _ truth: CorpusTruth, verification: CorpusVerification) {
    self.corpus = corpus
    self.truth = truth
    self.verification = verification
    let faulty = truth.faults.compactMap { fault in fault.file.map { (ExactText($0), fault.kind) } }
    faults = Dictionary(faulty, uniquingKeysWith: { first, _ in first })
    let held = truth.views.compactMap { view in view.attitude.map { (ExactText(view.file), $0) } }
    attitudes = Dictionary(held, uniquingKeysWith: { first, _ in first })
    let files = truth.spines.compactMap(\.file) + truth.views.map(\.file) + truth.faults.compactMap(\.file)
    named = Set(files.map { ExactText($0) })
    unseen = named
    surroundings = truth.faults.map { FaultNeighbours($0) }
  }

  private var manifest: CorpusManifest { corpus.manifest }

  /// Checks a frame. Data for the checks at the end is kept only for frames that the truth names.
  mutating func inspect(_ frame: CorpusFrame, at time: Int64) {
    unseen.remove(ExactText(frame.file))
    for index in surroundings.indices { surroundings[index].take(frame, at: time) }
    switch faults[ExactText(frame.file)] {
    case .corruptFrame:
      if (try? decode(frame)) != nil {
        verification.add("\(frame.file) decodes, and truth.json says that it is corrupt.")
      }
    case .shortFrame:
      if let file = try? corpus.frame(frame.file), isComplete(file, frame) {
        verification.add("\(frame.file) is complete, and truth.json says that it is short.")
      }
    default: inspectGood(frame)
    }
  }

  private mutating func inspectGood(_ frame: CorpusFrame) {
    do {
      let (image, orientation) = try decode(frame)
      verification.framesDecoded += 1
      let size = image.format.size
      let file = ExactText(frame.file)
      if named.contains(file) { uprightSizes[file] = orientation.applied(to: size) }
      guard isRightSize(size) else {
        return verification.add("\(frame.file) is \(size), and corpus.json says \(manifest.size).")
      }
      inspectCharts(frame, image, tag: orientation)
    } catch let error as CorpusError { verification.add(error.description) } catch {
      verification.add("\(frame.file): \(error)")
    }
  }

  private func isRightSize(_ size: PixelSize) -> Bool {
    manifest.isStills
      ? size.width <= manifest.size.width && size.height <= manifest.size.height : size == manifest.size
  }

  /// Returns whether a JPEG file ends with its end marker, or a raw frame has all its bytes.
  private func isComplete(_ file: CorpusFile, _ frame: CorpusFrame) -> Bool {
    let bytes = file.bytes.prefix(frame.byteCount ?? .max)
    guard frame.encoding != .raw else { return bytes.count >= manifest.imageFormat.frameByteCount }
    return bytes.suffix(2).elementsEqual([0xFF, 0xD9])
  }

  /// Returns the frame's luma, and the orientation that the file states.
  private func decode(_ frame: CorpusFrame) throws -> (PixelBuffer, Orientation) {
    var (image, orientation) = (try corpus.image(frame), Orientation.upright)
    if frame.encoding == .jpeg {
      // Use the size in the file, not that of the manifest.
      let file = try ImageFile.read(
        withExtendedLifetime(image) { Array(image.planes[0].bytes) },
        announced: manifest.isStills ? nil : manifest.size)
      image = file.image
      orientation = file.orientation
    }
    return (try converter.convert(image, to: .grey, color: .jpeg), orientation)
  }
}

// Charts.
extension FrameInspector {
  private mutating func inspectCharts(_ frame: CorpusFrame, _ image: PixelBuffer, tag: Orientation) {
    if let rect = manifest.timeCode {
      let value = TimeCode.read(from: image, corners: ChartCorners(rect))
      if value != frame.sequence {
        let seen = value.map { "\($0)" } ?? "none"
        verification.add(
          "\(frame.file) shows time-code \(seen), and its sequence number is \(frame.sequence).")
      }
    }
    guard let upright = expectedOrientation(frame, tag) else { return }
    for rect in manifest.fiducials {
      let reading = Fiducial.identify(in: image, corners: ChartCorners(rect))
      guard let reading, reading.isCertain else {
        verification.add(
          "\(frame.file) shows no readable fiducial at \(rect.x), \(rect.y), where corpus.json has one.")
        continue
      }
      if reading.best != upright.inverse {
        verification.add(
          "The fiducial of \(frame.file) shows that a turn by \(reading.best.inverse) makes it upright, and the corpus says by \(upright)."
        )
      }
    }
  }

  /// Returns the orientation that makes the frame upright. Nil while the device is between two quarter-turns.
  private func expectedOrientation(_ frame: CorpusFrame, _ tag: Orientation) -> Orientation? {
    if manifest.isStills { return tag }
    let attitude = attitudes[ExactText(frame.file)] ?? 0
    guard abs(attitude - (attitude / 90).rounded() * 90) < 8 else { return nil }
    return manifest.uprightOrientation(attitude: attitude)
  }
}

// Truth.
extension FrameInspector {
  /// Checks the truth after the last frame.
  mutating func inspectTruth() {
    for file in unseen.sorted() {
      verification.add("truth.json names \(file), which is not in the track.")
    }
    inspectSpines()
    for around in surroundings { inspect(around) }
  }

  private mutating func inspectSpines() {
    // The limit is generous: ten minutes along a long shelf are 18,000 views of a few hundred spines.
    guard truth.spines.count * truth.views.count <= 100_000_000 else {
      return verification.add(
        "truth.json has more than 100,000,000 pairs of a spine and a view, too many to check.")
    }
    for spine in truth.spines {
      if let file = spine.file {
        guard let size = uprightSizes[ExactText(file)], !spine.box.isInside(size) else { continue }
        verification.add("The spine \(spine.title) lies outside \(file).")
      } else if !isSeenWhole(spine.box) {
        verification.add("The spine \(spine.title) is in no frame as a whole.")
      }
    }
  }

  private func isSeenWhole(_ box: TruthBox) -> Bool {
    truth.views.contains { view in
      guard let size = uprightSizes[ExactText(view.file)] else { return false }
      return TruthBox(x: box.x - view.x, y: box.y - view.y, width: box.width, height: box.height).isInside(
        size)
    }
  }

  /// Checks that the track has the gap of a fault.
  private mutating func inspect(_ around: FaultNeighbours) {
    let fault = around.fault
    if around.end > manifest.durationNanoseconds {
      verification.add(
        "The \(fault.kind.rawValue) at \(fault.time) ns in truth.json ends after the recording.")
    }
    guard fault.durationNanoseconds > 0 else { return }
    if around.hasFrames {
      verification.add("There are frames during the \(fault.kind.rawValue) at \(fault.time) ns.")
    }
    guard fault.kind == .sequenceGap, let after = around.after, let before = around.before else { return }
    let lost = Int(after) - Int(before) - 1
    if lost != fault.lostFrames {
      verification.add(
        "The gap at \(fault.time) ns loses \(lost) frames, and the truth says \(fault.lostFrames).")
    }
  }
}

/// The frames around a fault, of which only the adjacent numbers are kept.
private struct FaultNeighbours {
  let fault: CorpusTruth.Fault
  /// Whether a frame lies within the time of the fault.
  private(set) var hasFrames = false
  /// The number of the last frame before the end of the fault.
  private(set) var before: UInt32?
  /// The number of the first frame at or after the end of the fault.
  private(set) var after: UInt32?

  init(_ fault: CorpusTruth.Fault) { self.fault = fault }

  var end: Int64 { fault.time + fault.durationNanoseconds }

  mutating func take(_ frame: CorpusFrame, at time: Int64) {
    guard time < end else {
      if after == nil { after = frame.sequence }
      return
    }
    if time >= fault.time { hasFrames = true }
    before = frame.sequence
  }
}

extension TruthBox {
  /// Returns whether the box lies in a picture of `size`, with a tolerance of a pixel.
  func isInside(_ size: PixelSize) -> Bool {
    x >= -1 && y >= -1 && x + width <= Double(size.width) + 1 && y + height <= Double(size.height) + 1
  }
}
