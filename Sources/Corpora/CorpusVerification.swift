/// What a check of a whole corpus found.
public struct CorpusVerification: Hashable, Sendable {
  /// One sentence each, in the order they were found; the first thousand.
  public private(set) var findings: [String] = []
  /// Of which only the first thousand are kept.
  public private(set) var findingCount = 0
  /// Files whose digest was looked at.
  public internal(set) var filesChecked = 0
  /// Their bytes.
  public internal(set) var bytesChecked = 0
  /// Frames whose pixels were decoded.
  public internal(set) var framesDecoded = 0

  /// Nothing was found.
  public var isSound: Bool { findingCount == 0 }

  mutating func add(_ finding: String) {
    findingCount += 1
    if findings.count < 1000 { findings.append(CorpusError.printable(finding)) }
  }
}

extension Corpus {
  /// Checks everything there is to check: each file against its digest and each digest against a file, limits, times and
  /// sequence numbers, that every frame decodes to the size it should, that time-codes and fiducials say what manifest
  /// and truth say, and that the truth lies inside the pictures. Frames that the truth calls faulty must be so.
  /// - Parameter progress: called with the files done and the files there are.
  public func verify(progress: ((_ done: Int, _ total: Int) -> Void)? = nil) -> CorpusVerification {
    var verification = CorpusVerification()
    checkDigests(&verification, progress)
    let truth: CorpusTruth
    do { truth = try self.truth() ?? CorpusTruth() } catch {
      verification.add(error.description)
      truth = CorpusTruth()
    }
    let events = checkTrack(&verification)
    var inspector = FrameInspector(self, truth, verification)
    for case .frame(let frame) in events.map(\.kind) { inspector.inspect(frame) }
    inspector.inspectTruth(events)
    return inspector.verification
  }

  /// Checks each file against its digest, and nothing else: cheap enough to do before every run.
  public func verifyDigests() -> CorpusVerification {
    var verification = CorpusVerification()
    checkDigests(&verification, nil)
    return verification
  }

  /// `sha256:` and the digest of `corpus.json`, which has those of all other files: what two runs must share to be compared.
  public var digest: String {
    (try? folder.read("corpus.json", limit: CorpusLimits.manifestBytes)).map { $0.withBytes(Digest.sha256) }
      ?? ""
  }

  private func checkDigests(_ verification: inout CorpusVerification, _ progress: ((Int, Int) -> Void)?) {
    for (index, (name, expected)) in manifest.digests.sorted(by: { $0.key < $1.key }).enumerated() {
      do {
        let file = try folder.read(name, limit: CorpusLimits.frameBytes)
        verification.filesChecked += 1
        verification.bytesChecked += file.byteCount
        if file.withBytes(Digest.sha256) != expected {
          verification.add(
            "\(directory)/\(name) is not what it was when the corpus was made: its digest differs.")
        }
      } catch { verification.add(error.description) }
      progress?(index + 1, manifest.digests.count)
    }
    for name in FolderTree.files(in: directory)
    where name != "corpus.json" && manifest.digests[name] == nil {
      verification.add("\(directory)/\(name) is not named in corpus.json.")
    }
  }

  /// The events as far as they can be read.
  private func checkTrack(_ verification: inout CorpusVerification) -> [CorpusEvent] {
    var events: [CorpusEvent] = []
    do {
      let track = try track()
      while let event = try track.next() { events.append(event) }
    } catch { verification.add(error.description) }
    var last: UInt32?
    var frames = 0
    for event in events {
      guard case .frame(let frame) = event.kind else { continue }
      frames += 1
      if manifest.digests[frame.file] == nil { verification.add("\(frame.file) of the track has no digest.") }
      if let last, frame.sequence <= last {
        verification.add(
          "\(frame.file) has sequence number \(frame.sequence), not above the \(last) before it.")
      }
      last = frame.sequence
    }
    if frames != manifest.frameCount {
      verification.add("The track has \(frames) frames, and corpus.json says \(manifest.frameCount).")
    }
    if let end = events.last?.time, end > manifest.durationNanoseconds {
      verification.add(
        "The last event is at \(end) ns, after the end at \(manifest.durationNanoseconds) ns that corpus.json gives."
      )
    }
    return events
  }
}
