import Foundation
import Testing

@testable import Harness

/// The identification of machines.
struct MachineProbeTests {
  @Test func processorsAreNamedAsLinuxKnowsThem() throws {
    #expect(try processor("model name\t: Ada 9000\nCPU part\t: 0xd08\n", board: nil) == "Ada 9000")
    let numbers = "CPU implementer\t: 0x41\nCPU part\t: 0xd08\n"
    #expect(try processor(numbers, board: nil) == "0x41/0xd08")
    #expect(try processor(numbers, board: "Raspberry Pi 4 Model B\0") == "Raspberry Pi 4 Model B 0x41/0xd08")
    #expect(try processor("", board: nil) == "unknown")
  }

  private func processor(_ info: String, board: String?) throws -> String {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("machine-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appendingPathComponent("proc/device-tree")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(info.utf8).write(to: root.appendingPathComponent("proc/cpuinfo"))
    if let board { try Data(board.utf8).write(to: folder.appendingPathComponent("model")) }
    return MachineProbe(root: root.path).processor
  }
}
