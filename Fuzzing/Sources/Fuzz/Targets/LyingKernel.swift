import System

@testable import Video4Linux

/// A kernel whose every answer comes from the input: each call takes a byte, and unless that says which error, the bytes
/// that the structure then holds. When the input is used up, everything is refused.
///
/// `@unchecked Sendable`: one thread uses it.
final class LyingKernel: Kernel, @unchecked Sendable {
  private var input: InputReader

  init(_ bytes: UnsafeRawBufferPointer) { input = InputReader(bytes) }

  func open(_ path: String) throws(Errno) -> Int32 { 100 }
  func close(_ descriptor: Int32) {}

  func control(_ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer) throws(Errno) {
    guard !input.isEmpty else { throw .invalidArgument }
    let mood = input.byte()
    if mood >= 0xF0 { throw Errno(rawValue: Int32(mood & 0x0F) + 1) }
    // Controls are read through a pointer in the structure, which is ours to keep: only what it points to is the input's.
    if request == .getControls { return fillControls(UnsafeRawPointer(argument)) }
    if request == .setControls { return }
    // The size is in the number of the call (Linux, asm-generic/ioctl.h).
    let answer = input.bytes(Int(request.number >> 16 & 0x3FFF))
    if let base = answer.baseAddress { argument.copyMemory(from: base, byteCount: answer.count) }
  }

  /// The values of a `v4l2_ext_controls`, whose count is at 4 and whose list is at 24; each of the list has 20 bytes: the length of what it
  /// points to at 4, and at 12 the value or that pointer.
  private func fillControls(_ list: UnsafeRawPointer) {
    let count = Int(list.load(fromByteOffset: 4, as: UInt32.self))
    guard let controls = list.load(fromByteOffset: 24, as: UnsafeMutableRawPointer?.self) else { return }
    for control in (0..<count).map({ controls + 20 * $0 }) {
      let length = Int(control.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      let target = UnsafeMutableRawPointer(
        bitPattern: control.loadUnaligned(fromByteOffset: 12, as: UInt.self))
      let answer = input.bytes(length > 0 ? length : 8)
      guard let base = answer.baseAddress else { continue }
      (length > 0 ? target : control + 12)?.copyMemory(from: base, byteCount: answer.count)
    }
  }

  func map(_ descriptor: Int32, length: Int, offset: Int64) throws(Errno) -> UnsafeMutableRawPointer {
    throw .invalidArgument
  }
  func unmap(_ base: UnsafeMutableRawPointer, length: Int) {}
  func poll(_ descriptor: Int32, events: Int16, wake: WakeSignal?, timeout: Int64?) throws(Errno)
    -> PollResult
  {
    PollResult(events: 0, wake: 0)
  }
  func openDeviceEvents() throws(Errno) -> Int32 { throw .noEntry }
  func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Datagram {
    throw .tryAgain
  }
  func now() -> Int64 { 0 }
  func names(in folder: String, limit: Int) throws(Errno) -> [String] { throw .noEntry }
  func contents(of path: String, limit: Int) throws(Errno) -> [UInt8] { throw .noEntry }
  func resolve(_ path: String) throws(Errno) -> String { throw .noEntry }
}
