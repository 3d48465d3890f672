import Glibc
import JSON
import System

/// A folder of frames with what happened between them and what they show. Everything in it is untrusted: names stay
/// inside the folder, sizes and counts have limits (`CorpusLimits`), and nothing is believed before it is checked.
public struct Corpus: Sendable {
  /// As it was opened.
  public let directory: String
  /// What its `corpus.json` says, within the limits of `CorpusLimits`.
  public let manifest: CorpusManifest
  let folder: CorpusDirectory

  /// How many files `corpus.json` gives a digest of: all but itself.
  let fileCount: Int

  /// Opens a corpus by its folder. Reads `corpus.json` and nothing else, and keeps none of its digests.
  public init(opening directory: String) throws(CorpusError) {
    let folder = try CorpusDirectory(opening: directory)
    let digests = try CorpusDigests(folder)
    manifest = try digests.manifest()
    fileCount = digests.count
    self.directory = directory
    self.folder = folder
  }

  /// The events, from the first.
  public func track() throws(CorpusError) -> CorpusTrack { try CorpusTrack(folder) }

  /// The digest of each file but `corpus.json`, which has them.
  public func digests() throws(CorpusError) -> CorpusDigests { try CorpusDigests(folder) }

  /// The bytes of a frame, as the device gave them.
  /// - Parameter file: its name inside the corpus folder, `frames/000001.jpg`.
  public func frame(_ file: String) throws(CorpusError) -> CorpusFile {
    try folder.read(file, limit: CorpusLimits.frameBytes)
  }

  /// What the corpus shows; nil when it has no `truth.json`.
  public func truth() throws(CorpusError) -> CorpusTruth? {
    let file: CorpusFile
    do { file = try folder.read("truth.json", limit: CorpusLimits.truthBytes) } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
    return try Self.decode("truth.json", in: directory, file) { value throws(JSONError) in
      try CorpusTruth(value)
    }
  }

  private static func decode<Value>(
    _ name: String, in directory: String, _ file: CorpusFile,
    make: (JSONValue) throws(JSONError) -> Value
  ) throws(CorpusError) -> Value {
    do {
      return try make(file.withBytes { bytes throws(JSONError) in try JSONParser.parse(bytes) })
    } catch {
      throw CorpusError(
        .malformed, "read \(directory)/\(name)", reason: error.reason,
        remedy: "correct it or make the corpus again")
    }
  }
}

extension Corpus {
  /// The corpus of a name in one of the `roots`, in their order; or, when it has a slash, of a path.
  public static func find(_ nameOrPath: String, searching roots: [String]) throws(CorpusError) -> Corpus {
    if nameOrPath.holds("/") { return try Corpus(opening: nameOrPath) }
    if SafeName.isSafe(nameOrPath) {
      for root in roots where access("\(root)/\(nameOrPath)/corpus.json", F_OK) == 0 {
        return try Corpus(opening: "\(root)/\(nameOrPath)")
      }
    }
    throw CorpusError(
      .notFound, "find the corpus \(nameOrPath.prefix(200))",
      reason:
        "there is none of that name in \(roots.isEmpty ? "no folder at all" : roots.joined(separator: ", "))",
      remedy: "see `swiftwing corpus list`, or give the path of its folder with a slash")
  }

  /// Every corpus in the `roots`, by name, and those that cannot be opened, with the reason.
  public static func list(in roots: [String]) -> (corpora: [Corpus], problems: [CorpusError]) {
    var (corpora, problems): ([Corpus], [CorpusError]) = ([], [])
    for root in roots {
      for name in names(in: root) where access("\(root)/\(name)/corpus.json", F_OK) == 0 {
        do { corpora.append(try Corpus(opening: "\(root)/\(name)")) } catch { problems.append(error) }
      }
    }
    return (corpora, problems)
  }

  /// The entries of a folder, sorted, hidden ones left out; none when it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.begins(exactly: ".") { names.append(name) }
    }
    return names.sorted { $0.comesBefore($1) }
  }
}
