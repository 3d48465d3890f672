import Glibc
import JSON
import System

/// The photos that viewfinders took into a folder, the newest first. Other pictures of the folder are not listed.
struct PhotoList: Sendable {
  struct Entry: Equatable, Sendable {
    let name: String
    /// The time of the file's last change, in seconds since 1970.
    let time: Double
    let byteCount: Int64
  }

  /// The largest number of listed photos, and of names that are read.
  static let (most, mostNames) = (1000, 100_000)

  let entries: [Entry]
  /// The number of photos that are older than those listed.
  let older: Int

  /// Reads the folder. A folder that cannot be read has no photos.
  init(folder: String) {
    let names = (try? FolderNames.read(folder, limit: Self.mostNames, where: Self.isPhoto)) ?? []
    let all = names.compactMap { Entry($0, in: folder) }.sorted {
      $0.time == $1.time ? $1.name.comesBefore($0.name) : $0.time > $1.time
    }
    entries = Array(all.prefix(Self.most))
    older = all.count - entries.count
  }

  /// Whether a viewfinder names its photos like this: `photo-2026-11-25T07-10-33.250.jpg`, or with a number before the ending.
  static func isPhoto(_ name: String) -> Bool {
    let (bytes, form) = (Array(name.utf8), Array("photo-0000-00-00T00-00-00.000".utf8))
    guard bytes.count >= form.count + 4, bytes.count <= form.count + 10, name.ends(exactly: ".jpg") else {
      return false
    }
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    let isStamp = zip(form, bytes).allSatisfy { wanted, byte in
      wanted == 48 ? isDigit(byte) : wanted == byte
    }
    let number = bytes[form.count..<bytes.count - 4]
    return isStamp
      && (number.isEmpty
        || number.first == UInt8(ascii: "-") && number.count > 1 && number.dropFirst().allSatisfy(isDigit))
  }

  var document: JSONValue {
    .object([
      "photos": .array(
        entries.map {
          .object(["name": .text($0.name), "time": .number(known: $0.time), "bytes": .integer($0.byteCount)])
        }),
      "older": .whole(older),
    ])
  }
}

extension PhotoList.Entry {
  /// Nil if this is no regular file any more.
  init?(_ name: String, in folder: String) {
    var status = stat()
    guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.name = name
    time = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    byteCount = Int64(status.st_size)
  }
}
