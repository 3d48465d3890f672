import Glibc
import Imagery
import Locking
import Settings

/// The looks that a page may choose among: the `.cube` files of one folder, by their names.
final class LookShelf: Sendable {
  private let folder: String
  private let read = Locked<(path: String, look: ColorLookup?)>(("", nil))

  init(folder: String = SettingsFile.standardFolder() + "/looks") { self.folder = folder }

  /// Sorted; at most 256.
  var names: [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let item = readdir(stream), names.count < 256 {
      let name = withUnsafeBytes(of: &item.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.lowercased().hasSuffix(".cube"), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The file of a name; nil for one that is not in the folder.
  func path(_ name: String) -> String? { names.contains(name) ? "\(folder)/\(name)" : nil }

  func facts(_ settings: CameraSettings, isActive: Bool) -> LookFacts {
    let name = settings.look.split(separator: "/").last.map(String.init)
    return LookFacts(name: name, isActive: isActive && name != nil, names: names)
  }

  /// Read once for each path; nil where it cannot be.
  func look(_ path: String) -> ColorLookup? {
    guard !path.isEmpty else { return nil }
    if let known = read.withLock({ $0.path == path ? $0.look : nil }) { return known }
    let look = try? ColorLookup(file: path)
    read.withLock { $0 = (path, look) }
    return look
  }
}
