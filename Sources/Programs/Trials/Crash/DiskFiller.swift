import Foundation
import Glibc
import System

/// Fills a small disk up to a random rest of at most 300 kB and frees it again, repeatedly, while other processes use it.
package final class DiskFiller: Sendable {
  private let file: String
  private let isRunning = Locked(true)
  private let fillings = Locked(0)
  private let ended = DispatchSemaphore(value: 0)

  /// The largest disk that may be filled, bytes. It protects a user's own disk.
  static let diskLimit = 256 << 20

  package struct Refusal: Error, CustomStringConvertible {
    package let description =
      "the trial would fill up the disk of its folder, which is larger than 256 MB; mount a small disk there"
  }

  /// Starts filling.
  /// - Throws: `Refusal`; `ResourceShortage` if no thread can be started.
  init(folder: String) throws {
    try Self.checkIsSmall(folder)
    file = "\(folder)/filler"
    try NamedThread.start(name: "filler") { [self] in
      while isRunning.withLock({ $0 }) {
        fill(leaving: Int.random(in: 0...300_000))
        usleep(UInt32.random(in: 5_000...60_000))
        unlink(file)
        usleep(UInt32.random(in: 5_000...60_000))
      }
      ended.signal()
    }
  }

  /// Checks that the folder is on a disk that may be filled.
  /// - Throws: `Refusal` if the disk is too large for that.
  package static func checkIsSmall(_ folder: String) throws(Refusal) {
    var volume = statvfs()
    guard statvfs(folder, &volume) == 0, Int(volume.f_blocks) * Int(volume.f_frsize) <= diskLimit else {
      throw Refusal()
    }
  }

  /// Stops filling and frees the disk. Returns how often it was full.
  func stop() -> Int {
    isRunning.withLock { $0 = false }
    ended.wait()
    return fillings.withLock { $0 }
  }

  private func fill(leaving rest: Int) {
    var volume = statvfs()
    guard statvfs(file.replacing("/filler", with: ""), &volume) == 0 else { return }
    let room = Int(volume.f_bavail) * Int(volume.f_frsize) - rest
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if room > 0, posix_fallocate(descriptor, 0, room) == 0 { fillings.withLock { $0 += 1 } }
  }
}
