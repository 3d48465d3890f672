import CCrypto
import FoundationEssentials
import Glibc
import Library
import System

/// The folder of stored covers: one file per cover, named by the digest of the cover's address. The modification time of a file is the time of the
/// cover's last use.
struct CoverFolder: Sendable {
  let path: String

  struct Entry {
    var name: String
    var size: Int
    var wanted: timespec
  }

  init(_ path: String) throws(DeliveryError) {
    self.path = path
    guard Store.makeFolders(path), chmod(path, 0o700) == 0 else {
      throw .system("make the folder \(path) for covers", errno: errno)
    }
  }

  /// The file name of an address: its SHA-256 in hexadecimal.
  static func name(of address: String) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = SHA256(Array(address.utf8), address.utf8.count, &digest)
    return digest.map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
  }

  func holds(_ name: String) -> Bool { access("\(path)/\(name)", R_OK) == 0 }

  /// The cover stored under `name`, marked as used. Nil if there is none. A damaged file is removed.
  func take(_ name: String, limit: Int, at now: Date) -> Cover? {
    guard let file = OwnedDescriptor("\(path)/\(name)", O_RDONLY | O_NOFOLLOW) else { return nil }
    guard let bytes = file.read(limit: limit), let cover = Cover(bytes) else {
      unlink("\(path)/\(name)")
      return nil
    }
    Self.note(now, file.number)
    return cover
  }

  /// Frees space for a cover and stores it, completely or not at all. A cover larger than the whole cache is not stored.
  func keep(_ cover: Cover, _ name: String, limit: Int, at now: Date) throws(DeliveryError) {
    guard cover.bytes.count <= limit else { return }
    makeRoom(cover.bytes.count, limit: limit, at: now)
    do { try DurableFile.replace("\(path)/\(name)", with: cover.bytes) } catch {
      throw .system("keep a cover in \(path)", errno: error.code)
    }
    guard let file = OwnedDescriptor("\(path)/\(name)", O_RDONLY | O_NOFOLLOW) else { return }
    Self.note(now, file.number)
  }

  /// Removes covers, least recently used first, until `count` more bytes fit into `limit`. A cover whose last use is in the future was marked by
  /// a wrong wall clock, and is removed first.
  private func makeRoom(_ count: Int, limit: Int, at now: Date) {
    let present = now.timeIntervalSince1970 + 60
    let entries = entries().sorted { one, other in
      func age(_ entry: Entry) -> (Int, Int, Int, String) {
        (Double(entry.wanted.tv_sec) > present ? 0 : 1, entry.wanted.tv_sec, entry.wanted.tv_nsec, entry.name)
      }
      return age(one) < age(other)
    }
    var total = entries.reduce(0) { $0 + $1.size }
    for entry in entries where total + count > limit {
      unlink("\(path)/\(entry.name)")
      total -= entry.size
    }
  }

  func entries() -> [Entry] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while let entry = readdir(folder) {
      var status = stat()
      let name = entry.fileName
      guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      entries.append(Entry(name: name, size: Int(status.st_size), wanted: status.st_mtim))
    }
    return entries
  }

  private static func note(_ date: Date, _ descriptor: CInt) {
    let milliseconds = Milliseconds.of(date)
    let time = timespec(
      tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    futimens(descriptor, [time, time])
  }
}
