import Glibc
import JSON
import System

/// A folder of frames, with the events between them and the truth about their content. Everything in it is untrusted: names stay inside the folder,
/// sizes and counts have limits (`CorpusLimits`), and all values are checked before use.
public struct Corpus: Sendable {
  /// The path, as given.
  public let directory: String
  /// The content of `corpus.json` without its digests, within the limits of `CorpusLimits`.
  public let manifest: CorpusManifest
  let folder: CorpusDirectory

  /// Number of files with a digest in `corpus.json`: all but that file itself.
  let fileCount: Int

  /// Opens a corpus by its folder. Reads only `corpus.json`, and keeps none of its digests.
  public init(opening directory: String) throws(CorpusError) {
    let folder = try CorpusDirectory(opening: directory)
    let digests = try CorpusDigests(folder)
    manifest = try digests.manifest()
    fileCount = digests.count
    self.directory = directory
    self.folder = folder
  }

  /// Returns the events, from the first.
  public func track() throws(CorpusError) -> CorpusTrack { try CorpusTrack(folder) }

  /// Returns the digests of all files but `corpus.json`, which contains them.
  public func digests() throws(CorpusError) -> CorpusDigests { try CorpusDigests(folder) }

  /// Returns the bytes of a frame, as delivered by the device.
  /// - Parameter file: the name inside the corpus folder, such as `frames/000001.jpg`.
  public func frame(_ file: String) throws(CorpusError) -> CorpusFile {
    try folder.read(file, limit: CorpusLimits.frameBytes)
  }

  /// Reads the truth about the content. Nil if there is no `truth.json`.
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
  /// Finds a corpus: by its path if the text has a slash, otherwise by its name in the `roots`, in their order.
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
        "there is no corpus of that name in \(roots.isEmpty ? "any known folder" : roots.joined(separator: ", "))",
      remedy: "see `swiftwing corpus list` for the names, or give the path of its folder with a slash")
  }

  /// Returns every corpus in the `roots`, by name, and the reasons why others cannot be opened.
  public static func list(in roots: [String]) -> (corpora: [Corpus], problems: [CorpusError]) {
    var (corpora, problems): ([Corpus], [CorpusError]) = ([], [])
    for root in roots {
      for name in names(in: root) where access("\(root)/\(name)/corpus.json", F_OK) == 0 {
        do { corpora.append(try Corpus(opening: "\(root)/\(name)")) } catch { problems.append(error) }
      }
    }
    return (corpora, problems)
  }

  /// Returns the entries of a folder, sorted, without hidden ones. Empty if it cannot be read.
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
