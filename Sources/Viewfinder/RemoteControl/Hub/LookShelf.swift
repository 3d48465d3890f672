import Glibc
import Imagery
import Settings
import System

/// The looks that a page offers: the `.cube` files of one folder, by name.
final class LookShelf: Sendable {
  private let folder: String
  private let read = Locked<(file: ReadFile, look: Result<ColorLookup?, LookupError>)?>(nil)

  /// The identity of a file whose look was read. If another file has replaced it under its name, the new file is read.
  private struct ReadFile: Equatable {
    /// The path in UTF-8. Paths are compared by their bytes.
    var path: [UInt8]
    var number: UInt64
    var byteCount: Int64
    var changed: [Int]

    init(_ path: String) {
      var status = stat()
      let isThere = stat(path, &status) == 0
      self.path = Array(path.utf8)
      number = isThere ? UInt64(status.st_ino) : 0
      byteCount = Int64(status.st_size)
      changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }

  init(folder: String = SettingsFile.standardFolder() + "/looks") { self.folder = folder }

  /// The names, sorted; at most 256.
  var names: [String] {
    let names = try? FolderNames.read(folder, limit: 256) {
      $0.smallASCII.ends(exactly: ".cube") && !$0.begins(exactly: ".")
    }
    return (names ?? []).sorted { $0.comesBefore($1) }
  }

  /// The path of a name. Nil if the folder does not have it.
  func path(_ name: String) -> String? { names.holds(exactly: name) ? "\(folder)/\(name)" : nil }

  func facts(_ settings: CameraSettings, isActive: Bool) -> LookFacts {
    let name = settings.look.isEmpty ? nil : settings.look.lastName
    var trouble: String?
    if case .failure(let error) = look(settings.look) {
      trouble = "The look \(name ?? settings.look) cannot be used: \(error)"
    }
    return LookFacts(name: name, trouble: trouble, isActive: isActive && name != nil, names: names)
  }

  /// The look of a file, which is read once. No look if the path is empty.
  func look(_ path: String) -> Result<ColorLookup?, LookupError> {
    guard !path.isEmpty else { return .success(nil) }
    let file = ReadFile(path)
    if let known = read.withLock({ $0?.file == file ? $0?.look : nil }) { return known }
    let look = Result { () throws(LookupError) -> ColorLookup? in try ColorLookup(file: path) }
    read.withLock { $0 = (file, look) }
    return look
  }
}
