import System

@testable import Video4Linux

/// A kernel whose answers come from the input. Each call reads a byte, which may select an error; otherwise the following bytes
/// become the content of the structure. At the end of the input, every call fails.
///
/// `@unchecked Sendable`: only one thread uses it.
final class LyingKernel: Kernel, @unchecked Sendable {
  private var input: InputReader

  init(_ bytes: UnsafeRawBufferPointer) { input = InputReader(bytes) }

  func open(_ path: String) throws(Errno) -> Int32 { 100 }
  func close(_ descriptor: Int32) {}

  func control(_ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer) throws(Errno) {
    guard !input.isEmpty else { throw .invalidArgument }
    let mood = input.byte()
    if mood >= 0xF0 { throw Errno(rawValue: Int32(mood & 0x0F) + 1) }
    // The structure for reading controls has a pointer to our memory, so only the memory behind it is filled from the input.
    if request == .getControls { return fillControls(UnsafeRawPointer(argument)) }
    if request == .setControls { return }
    // The call's number contains the size of the structure (Linux, asm-generic/ioctl.h).
    let answer = input.bytes(Int(request.number >> 16 & 0x3FFF))
    if let base = answer.baseAddress { argument.copyMemory(from: base, byteCount: answer.count) }
  }

  /// Fills the values of a `v4l2_ext_controls`. Its count is at offset 4, and its list at 24. Each element of the list has 20
  /// bytes: the length of a payload at 4, and at 12 the value or the pointer to the payload.
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
