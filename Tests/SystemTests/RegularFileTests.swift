import Foundation
import Glibc
import System
import Testing

@Suite struct RegularFileTests {
  /// A pipe without a writer, an endless device and a folder are refused at once. A file is read completely, up to a limit.
  @Test func onlyFilesAreRead() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "regular-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try DurableFile.replace("\(folder)/file", with: [1, 2, 3])
    mkfifo("\(folder)/pipe", 0o600)
    #expect(try RegularFile.read("\(folder)/file", atMost: 3) == [1, 2, 3])
    #expect(try RegularFile.open("\(folder)/file").permissions == 0o600)
    for (path, trouble) in [
      ("\(folder)/pipe", .isNoFile), ("/dev/zero", .isNoFile), (folder, .isFolder),
      ("\(folder)/none", .system(ENOENT)),
    ] as [(String, RegularFile.Trouble)] {
      #expect(throws: trouble) { try RegularFile.read(path, atMost: 1 << 20) }
    }
    #expect(throws: RegularFile.Trouble.isTooLarge) { try RegularFile.read("\(folder)/file", atMost: 2) }
    // For this file, the kernel reports a size of zero.
    #expect(try RegularFile.read("/proc/self/status", atMost: 1 << 20).isEmpty == false)
  }

  /// The names in a folder include hidden ones, but not `.` and `..`. The limit applies only to names that pass the filter.
  @Test func aFolderHasItsNames() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["one", "two", ".three"] { try DurableFile.replace("\(folder)/\(name)", with: []) }
    #expect(try Set(FolderNames.read(folder)) == ["one", "two", ".three"])
    #expect(try FolderNames.read(folder, limit: 1) { $0.hasPrefix(".") } == [".three"])
    #expect(throws: SystemError(ENOENT)) { try FolderNames.read("\(folder)/none") }
    #expect("\(folder)/../\(folder.lastName)/one".realPath == "\(folder)/one".realPath)
    #expect("\(folder)/none".realPath == nil)
  }

  /// If a process can hardly open any file, it gets an error before the Swift runtime traps.
  @Test func shortageOfDescriptorsIsTold() async {
    // The tests are written one by one, because Swift 6.2 passes no values to an exit test.
    let results = [
      await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        Self.demandRoom(4)
      },
      await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        Self.demandRoom(5)
      },
      await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        Self.demandRoom(8)
      },
      await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        Self.demandRoom(12)
      },
      await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        Self.demandRoom(20)
      },
    ]
    for result in results {
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("raise its limit with `ulimit -n`"), "\(said)")
    }
  }

  private static func demandRoom(_ limit: UInt) -> Never {
    var most = rlimit(rlim_cur: limit, rlim_max: limit)
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 else { exit(5) }
    StandardStreams.demandRoom()
    exit(0)
  }
}
