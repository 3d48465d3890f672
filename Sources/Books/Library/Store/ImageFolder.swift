import Glibc
import System

/// The private folder of images that wait for delivery. The folder has mode 0700, its files have mode 0600 and are named by the key of their scan.
package struct ImageFolder: Sendable {
  let path: String
  /// The maximum size of an image in bytes.
  static let limit = 64 << 20
  private let reserve: Int

  /// Creates the folder if it is missing, and makes it private.
  /// - Parameter reserve: the number of bytes that are kept free on the disk for delivering. A queue that filled the disk could never be emptied.
  init(_ path: String, reserve: Int = 16 << 20) throws(DeliveryError) {
    self.path = path
    self.reserve = reserve
    try makeSure()
  }

  /// Uses an existing folder, for reading only.
  init(existing path: String) { (self.path, reserve) = (path, 0) }

  /// Creates the folder again if somebody has removed it.
  func makeSure() throws(DeliveryError) {
    let action = "make the private folder \(path) for images"
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(action, errno: errno) }
    guard chmod(path, 0o700) == 0 else { throw .system(action, errno: errno) }
  }

  /// Checks that the disk has space for an image.
  /// - Throws: `diskFull` if `count` more bytes would use up part of the reserve.
  func requireRoom(for count: Int) throws(DeliveryError) {
    var volume = statvfs()
    guard statvfs(path, &volume) == 0 else { throw .system("accept a scan into \(path)", errno: errno) }
    let (free, isPastCounting) = Int(clamping: volume.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: volume.f_frsize))
    guard !isPastCounting, free < count + reserve else { return }
    throw DeliveryError(
      .diskFull, "accept a scan",
      reason:
        "\(Self.megabytes(free)) are free on the disk of \(path), and \(Self.megabytes(reserve)) are kept free there for "
        + "delivering what is queued",
      remedy: "free \(Self.megabytes(count + reserve - free)) and try again")
  }

  /// Text of a size in megabytes, rounded up so that freeing this many megabytes is enough.
  private static func megabytes(_ bytes: Int) -> String {
    let tenths = bytes / 100_000 + (bytes % 100_000 > 0 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10) MB"
  }

  package func holds(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  /// Writes a file. Returns once its bytes and its name are on disk. A failed write leaves no file.
  func write(_ bytes: [UInt8], named name: String) throws(DeliveryError) {
    do { try DurableFile.replace("\(path)/\(name)", with: bytes) } catch {
      remove(named: name)
      throw .system("save the image of a scan in \(path)", errno: error.code)
    }
  }

  func read(named name: String) throws(DeliveryError) -> [UInt8] {
    guard let descriptor = OwnedDescriptor("\(path)/\(name)", O_RDONLY | O_NOFOLLOW),
      let bytes = descriptor.read(limit: Self.limit)
    else { throw .system("read the image of a scan in \(path)", errno: errno) }
    return bytes
  }

  func remove(named name: String) { unlink("\(path)/\(name)") }

  /// Removes every file for which `keep`, called with the file's name, returns false.
  /// - Returns: the number of removed files.
  func removeAll(except keep: (String) throws -> Bool) rethrows -> Int {
    let surplus = try ((try? FolderNames.read(path)) ?? []).filter { try !keep($0) }
    for name in surplus { remove(named: name) }
    return surplus.count
  }
}

extension UnsafeMutablePointer<dirent> {
  package var fileName: String {
    withUnsafePointer(to: &pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
  }
}
