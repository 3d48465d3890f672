import Glibc
import Imagery
import JSON

/// A writer of a corpus: add frames and events in time order, then call `finish`. Everything is written to a folder beside the final one, which takes
/// its name only when it is complete; a writer that is dropped leaves nothing behind. One thread at a time.
public final class CorpusWriter {
  /// The manifest as it will be written. Counts and duration are filled in at the end.
  public private(set) var manifest: CorpusManifest
  /// The truth, written as `truth.json` unless it is empty.
  public var truth = CorpusTruth()

  private let directory: String
  private let partial: String
  private var track: [UInt8] = []
  private var digests: [String: String] = [:]
  private var lastTime: Int64 = 0
  /// For each frame, the start of its line in `track`, and the time of the event before it.
  private var frames: [(name: String, line: Int, before: Int64)] = []
  private var frameCount: Int { frames.count }
  /// Maximum number of frames: each is a file, and there are `track.jsonl` and perhaps `truth.json` besides.
  var frameLimit = CorpusLimits.files - 2
  private var isFinished = false

  /// - Parameters:
  ///   - directory: the corpus folder to create, including the folders above it.
  ///   - manifest: the known values; counts and duration are filled in.
  ///   - replacing: whether an existing corpus may be replaced. Anything else at that path is never replaced.
  public init(creating directory: String, manifest: CorpusManifest, replacing: Bool = false)
    throws(CorpusError)
  {
    let directory = FolderTree.trimmed(directory)
    self.directory = directory
    self.manifest = manifest
    partial = "\(directory).partial-\(getpid())"
    try Self.check(manifest, directory)
    try Self.checkTarget(directory, replacing: replacing)
    FolderTree.remove(partial)
    try FolderTree.make(partial)
    try FolderTree.make("\(partial)/frames")
  }

  deinit { if !isFinished { FolderTree.remove(partial) } }

  /// Refuses a manifest that could not be read back, before it replaces one that can.
  private static func check(_ manifest: CorpusManifest, _ directory: String) throws(CorpusError) {
    do throws(JSONError) { _ = try CorpusManifest(manifest.json()) } catch {
      throw CorpusError(
        .limit, "make the corpus \(directory)", reason: error.reason, remedy: "choose another value")
    }
  }

  private static func checkTarget(_ directory: String, replacing: Bool) throws(CorpusError) {
    guard access(directory, F_OK) == 0,
      !Corpus.names(in: directory).isEmpty || !FolderTree.isFolder(directory)
    else { return }
    guard replacing, access("\(directory)/corpus.json", F_OK) == 0 else {
      throw CorpusError(
        .system, "make the corpus \(directory)", reason: "there is something of that name already",
        remedy: "choose another name or remove it")
    }
  }

  /// Writes a frame and its event.
  /// - Parameters:
  ///   - bytes: as delivered by the device: a JPEG or PNG file, or raw pixels.
  ///   - suffix: the extension of the file: `jpg`, `png`, or `raw`.
  ///   - time: nanoseconds since the track began, at least the time of the previous event.
  /// - Returns: the name of the file in the corpus; that of the first is `frames/000001.jpg`.
  @discardableResult
  public func addFrame(
    _ bytes: UnsafeRawBufferPointer, suffix: String = "jpg", time: Int64, sequence: UInt32
  ) throws(CorpusError) -> String {
    guard bytes.count <= CorpusLimits.frameBytes else {
      throw CorpusError(
        .limit, "add a frame to \(directory)",
        reason: "the frame has \(bytes.count) bytes, more than the \(CorpusLimits.frameBytes) allowed",
        remedy: "choose smaller pictures")
    }
    guard frameCount < frameLimit else {
      throw CorpusError(
        .limit, "add a frame to \(directory)",
        reason: "the corpus has \(frameLimit) frames already, the limit",
        remedy: "make several smaller corpora")
    }
    let number = String(frameCount + 1)
    let digits = String(repeating: "0", count: max(0, 6 - number.count)) + number
    let name = "frames/\(digits).\(suffix)"
    let frame = (name: name, line: track.count, before: lastTime)
    do throws(CorpusError) {
      try write(bytes, to: name)
      try add(CorpusEvent(time: time, kind: .frame(CorpusFrame(file: name, sequence: sequence))))
    } catch {
      // An incomplete picture, or one without a time, is discarded.
      discard(name)
      throw error
    }
    frames.append(frame)
    return name
  }

  private func discard(_ name: String) {
    unlink("\(partial)/\(name)")
    digests[name] = nil
  }

  /// Removes the last frame and the events after it, to make room on a full disk for the files that describe the others.
  /// - Returns: false if there is none.
  package func removeLastFrame() -> Bool {
    guard let frame = frames.popLast() else { return false }
    discard(frame.name)
    track.removeSubrange(frame.line...)
    lastTime = frame.before
    return true
  }

  /// Writes a frame from an array, and its event.
  @discardableResult
  public func addFrame(
    _ bytes: [UInt8], suffix: String = "jpg", time: Int64, sequence: UInt32
  ) throws(CorpusError) -> String {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(CorpusError) in
        try addFrame(bytes, suffix: suffix, time: time, sequence: sequence)
      }
    }.get()
  }

  /// Adds an event that is not a new frame.
  public func add(_ event: CorpusEvent) throws(CorpusError) {
    guard event.time >= lastTime else {
      throw CorpusError(
        .limit, "add an event to \(directory)",
        reason: "its time, \(event.time) ns, is earlier than that of the event before, \(lastTime) ns",
        remedy: "add events in time order")
    }
    guard event.time <= CorpusLimits.durationNanoseconds else {
      throw CorpusError(
        .limit, "add an event to \(directory)", reason: "its time, \(event.time) ns, is later than a week",
        remedy: "make several shorter corpora")
    }
    lastTime = event.time
    track += JSONSerializer.line(event.json)
    track.append(0x0A)
  }

  /// Writes the remaining files, gives the folder its name and opens it. After a failure it can be called again.
  /// - Parameter durationNanoseconds: the duration of the whole track; nil for one frame interval after the last event.
  @discardableResult
  public func finish(durationNanoseconds: Int64? = nil) throws(CorpusError) -> Corpus {
    manifest.frameCount = frameCount
    manifest.durationNanoseconds = durationNanoseconds ?? lastTime + manifest.frameInterval.nanoseconds
    // Remove the files of an earlier attempt.
    for name in ["track.jsonl", "truth.json", "corpus.json"] { unlink("\(partial)/\(name)") }
    try write(track, to: "track.jsonl")
    if truth != CorpusTruth() { try write(JSONSerializer.document(truth.json), to: "truth.json") }
    try FolderTree.write(
      JSONSerializer.document(manifest.json(digests: digests)), to: "\(partial)/corpus.json")
    try FolderTree.replace(directory, with: partial)
    isFinished = true
    return try Corpus(opening: directory)
  }

  private func write(_ bytes: [UInt8], to name: String) throws(CorpusError) {
    try FolderTree.write(bytes, to: "\(partial)/\(name)")
    digests[name] = bytes.withUnsafeBytes(Digest.sha256)
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to name: String) throws(CorpusError) {
    try FolderTree.write(bytes, to: "\(partial)/\(name)")
    digests[name] = Digest.sha256(bytes)
  }
}
