/// The result of verifying a whole corpus.
public struct CorpusVerification: Hashable, Sendable {
  /// The findings, a sentence each, in the order they were found; at most the first thousand.
  public private(set) var findings: [String] = []
  /// Number of all findings, of which only the first thousand are kept.
  public private(set) var findingCount = 0
  /// Number of files whose digest was checked.
  public internal(set) var filesChecked = 0
  /// Number of bytes in these files.
  public internal(set) var bytesChecked = 0
  /// Number of frames whose pixels were decoded.
  public internal(set) var framesDecoded = 0

  /// Whether nothing was found.
  public var isSound: Bool { findingCount == 0 }

  mutating func add(_ finding: String) {
    findingCount += 1
    if findings.count < 1000 { findings.append(CorpusError.printable(finding)) }
  }
}

extension Corpus {
  /// Verifies everything: that each file matches its digest and each digest has a file; limits, times and sequence
  /// numbers; that every frame decodes to the right size; that time codes and fiducials agree with manifest and truth;
  /// and that the truth lies inside the pictures. Frames that the truth calls faulty must be faulty.
  /// - Parameter progress: called with the number of files done and the number of all files.
  public func verify(progress: ((_ done: Int, _ total: Int) -> Void)? = nil) -> CorpusVerification {
    var verification = CorpusVerification()
    let names = checkDigests(&verification, progress)
    let truth: CorpusTruth
    do { truth = try self.truth() ?? CorpusTruth() } catch {
      verification.add(error.description)
      truth = CorpusTruth()
    }
    var inspector = FrameInspector(self, truth, verification: verification)
    var check = TrackCheck()
    do {
      let track = try track()
      while let event = try track.next() { check.take(event, names, inspector: &inspector) }
    } catch { inspector.verification.add(error.description) }
    check.finish(manifest, &inspector.verification)
    inspector.inspectTruth()
    return inspector.verification
  }

  /// Verifies each file against its digest only: cheap enough to do before every run.
  public func verifyDigests() -> CorpusVerification {
    var verification = CorpusVerification()
    checkDigests(&verification, nil)
    return verification
  }

  /// The digest of `corpus.json`, with `sha256:` before it. It covers the digests of all other files, so runs with the same digest
  /// used the same corpus. Empty if the file cannot be read.
  public var digest: String {
    (try? folder.digest("corpus.json", limit: CorpusLimits.manifestBytes))?.digest ?? ""
  }

  /// - Returns: the names that have a digest.
  @discardableResult
  private func checkDigests(
    _ verification: inout CorpusVerification, _ progress: ((Int, Int) -> Void)?
  ) -> FileNames {
    var names = FileNames()
    do {
      let digests = try digests()
      while let entry = try digests.next() {
        check(entry, &verification)
        names.add(entry.file)
        progress?(digests.count, fileCount)
      }
    } catch { verification.add(error.description) }
    names.finish()
    if names.repeated > 0 {
      verification.add("Files that have more than one digest in corpus.json: \(names.repeated).")
    }
    FolderTree.visitFiles(in: directory) { name in
      if name != "corpus.json", !names.contains(name) {
        verification.add("\(directory)/\(name) is not named in corpus.json.")
      }
    }
    return names
  }

  private func check(_ entry: CorpusDigests.Entry, _ verification: inout CorpusVerification) {
    do {
      let file = try folder.digest(entry.file, limit: CorpusLimits.frameBytes)
      verification.filesChecked += 1
      verification.bytesChecked += file.byteCount
      if file.digest != entry.digest {
        verification.add(
          "\(directory)/\(entry.file) has changed since the corpus was made: its digest differs.")
      }
    } catch { verification.add(error.description) }
  }
}

/// Checks of a track as a whole, made while it is read once.
private struct TrackCheck {
  private var last: UInt32?
  private var frames = 0
  private var end: Int64 = 0

  mutating func take(_ event: CorpusEvent, _ names: FileNames, inspector: inout FrameInspector) {
    end = event.time
    guard case .frame(let frame) = event.kind else { return }
    frames += 1
    if !names.contains(frame.file) {
      inspector.verification.add("\(frame.file) is in the track, and has no digest in corpus.json.")
    }
    if let last, frame.sequence <= last {
      inspector.verification.add(
        "\(frame.file) has sequence number \(frame.sequence), not above the \(last) before it.")
    }
    last = frame.sequence
    inspector.inspect(frame, at: event.time)
  }

  func finish(_ manifest: CorpusManifest, _ verification: inout CorpusVerification) {
    if frames != manifest.frameCount {
      verification.add("The track has \(frames) frames, and corpus.json says \(manifest.frameCount).")
    }
    if end > manifest.durationNanoseconds {
      verification.add(
        "The last event is at \(end) ns, after the end at \(manifest.durationNanoseconds) ns that corpus.json gives."
      )
    }
  }
}
