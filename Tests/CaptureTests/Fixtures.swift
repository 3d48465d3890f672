import Capture
import Glibc
import Locking

/// What a preview showed.
final class Shown: Sendable {
  private let pictures = Locked<[PresentedPicture]>([])
  func add(_ picture: PresentedPicture) { pictures.withLock { $0.append(picture) } }
  var all: [PresentedPicture] { pictures.withLock { $0 } }
}

final class Counter: Sendable {
  private let count = Locked(0)
  func increment() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

/// What a process holds.
struct Resources {
  var threads: Int
  var descriptors: Int

  static func now() -> Resources {
    Resources(threads: entries(in: "/proc/self/task"), descriptors: entries(in: "/proc/self/fd"))
  }

  private static func entries(in path: String) -> Int {
    guard let folder = opendir(path) else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
