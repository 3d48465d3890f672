package import CVideo4Linux
import Foundation
import Glibc
package import System
package import Video4Linux

/// A kernel with one video device. Tests script its answers, and it records every descriptor, mapping and buffer. By default it
/// behaves like a correct driver.
///
/// `@unchecked Sendable`: all mutable state is accessed only under `lock`.
package final class ScriptedKernel: Kernel, @unchecked Sendable {
  package typealias Handler = (UnsafeMutableRawPointer) -> Errno?

  private let lock = NSRecursiveLock()
  var device = ScriptedDevice()
  var openDescriptors: Set<Int32> = []
  /// The open descriptors of a device that has been unplugged.
  var orphans: Set<Int32> = []
  var monitors: Set<Int32> = []
  private var lastDescriptor: Int32 = 100
  private var mappings: [UnsafeMutableRawPointer: Int] = [:]
  /// The addresses at which the present buffers are mapped, by offset.
  private var bases: [Int64: UnsafeMutableRawPointer] = [:]
  private var handlers: [Request: Handler] = [:]
  private var faults: [String: [Errno]] = [:]
  private var callToFail: (number: Int, errno: Errno)?
  private var calls: [String] = []
  private var polls: [Errno: Int] = [:]
  private var pollResults: [Result<PollResult, Errno>] = []
  var datagrams: [(bytes: [UInt8], isFromKernel: Bool)] = []
  private var clock: Int64 = 1_000_000_000
  private var violations: [String] = []
  var agenda: [(time: Int64, act: (ScriptedKernel) -> Void)] = []
  /// The clock of a test. Without it, the script answers each `poll`, which takes 3 ms.
  var world: World?
  package private(set) var timeouts: [Int64?] = []
  package var folders: [String: [String]] = [:]
  package var files: [String: String] = [:]
  package var links: [String: String] = [:]

  package init(_ configure: (inout ScriptedDevice) -> Void = { _ in }) { configure(&device) }

  // MARK: The script

  package func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Answers `request` with `handler`, which receives the call's structure and returns nil for success.
  package func on<Argument>(
    _ request: Request, _ type: Argument.Type, _ handler: @escaping (inout Argument) -> Errno?
  ) {
    locked { handlers[request] = { handler(&$0.assumingMemoryBound(to: type).pointee) } }
  }

  /// Makes the next calls of this name ("open", "mmap", "VIDIOC_QBUF") fail with these errors, one after another.
  package func fail(_ call: String, _ errnos: Errno...) { locked { faults[call, default: []] += errnos } }

  /// Makes one of the next fallible calls fail. `number` counts from 0, the next call.
  package func failCall(_ number: Int, with errno: Errno) {
    locked { callToFail = (calls.count + number, errno) }
  }

  /// Writes a picture into a single-plane buffer, up to the buffer's size.
  /// - Returns: the number of bytes written; 0 if the buffer is not mapped.
  package func write(_ bytes: [UInt8], toBuffer index: UInt32) -> Int {
    locked {
      guard let base = bases[Int64(index) * 4096], let room = mappings[base] else { return 0 }
      let count = min(bytes.count, room)
      base.copyMemory(from: bytes, byteCount: count)
      return count
    }
  }

  package func answerPoll(_ results: Result<PollResult, Errno>...) { locked { pollResults += results } }
  package func send(_ bytes: [UInt8], isFromKernel: Bool = true) {
    locked { datagrams.append((bytes, isFromKernel)) }
  }

  /// Fills the oldest buffer that the driver holds.
  package func complete(
    _ describe: (inout v4l2_buffer, UnsafeMutablePointer<v4l2_plane>) -> Void = { _, _ in }
  ) {
    locked { device.complete(describe) }
  }

  // MARK: The account

  package var log: [String] { locked { calls } }
  package var held: [UInt32] { locked { device.queued } }
  package var allocated: Int { locked { device.allocated } }
  /// The resources that were not released, and the rules that were broken; empty if everything is correct.
  package var leaks: [String] {
    locked {
      var leaks = violations
      if !openDescriptors.isEmpty { leaks.append("descriptors \(openDescriptors)") }
      if !mappings.isEmpty { leaks.append("\(mappings.count) mappings") }
      if device.allocated > 0 { leaks.append("\(device.allocated) buffers") }
      return leaks
    }
  }

  private func begin(_ call: String) throws(Errno) {
    let fault = locked { () -> Errno? in
      let number = calls.count
      calls.append(call)
      if let wanted = callToFail, wanted.number == number { return wanted.errno }
      guard var waiting = faults[call], !waiting.isEmpty else { return nil }
      let first = waiting.removeFirst()
      faults[call] = waiting
      return first
    }
    if let fault { throw fault }
  }

  private func newDescriptor() -> Int32 {
    locked {
      lastDescriptor += 1
      openDescriptors.insert(lastDescriptor)
      return lastDescriptor
    }
  }

  // MARK: The kernel

  package func open(_ path: String) throws(Errno) -> Int32 {
    try begin("open")
    guard locked({ device.node == nil || device.node == path }) else { throw .noEntry }
    guard locked({ device.isReadable }) else { throw .accessDenied }
    return newDescriptor()
  }

  package func close(_ descriptor: Int32) {
    locked {
      if openDescriptors.remove(descriptor) == nil { violations.append("closed \(descriptor) twice") }
      // When the last descriptor is closed, the device frees its buffers.
      orphans.remove(descriptor)
      monitors.remove(descriptor)
      if openDescriptors.subtracting(monitors).subtracting(orphans).isEmpty { device.forgetBuffers() }
    }
  }

  package func control(_ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer)
    throws(Errno)
  {
    try begin(request.rawValue)
    let outcome = locked { () -> Errno? in
      guard openDescriptors.contains(descriptor) else {
        violations.append("\(request.rawValue) on a closed descriptor")
        return .badDescriptor
      }
      if orphans.contains(descriptor) { return .noDevice }
      if request == .exportBuffer, handlers[request] == nil {
        argument.assumingMemoryBound(to: v4l2_exportbuffer.self).pointee.fd = newDescriptor()
        return nil
      }
      if let handler = handlers[request] { return handler(argument) }
      return device.answer(request, argument)
    }
    if let outcome { throw outcome }
  }

  package func map(_ descriptor: Int32, length: Int, offset: Int64) throws(Errno) -> UnsafeMutableRawPointer {
    try begin("mmap")
    let base = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
    memset(base, 0, length)
    locked { (mappings[base], bases[offset]) = (length, base) }
    return base
  }

  package func unmap(_ base: UnsafeMutableRawPointer, length: Int) {
    locked {
      guard mappings.removeValue(forKey: base) == length else {
        violations.append("unmapped what was not mapped")
        return
      }
      base.deallocate()
    }
  }

  package func poll(
    _ descriptor: Int32, events: Int16, wake: WakeSignal?, timeout: Int64?
  ) throws(Errno) -> PollResult {
    try begin("poll")
    if let world = locked({ world }) { return wait(descriptor, events, wake, timeout, in: world) }
    let next = locked { () -> Result<PollResult, Errno> in
      timeouts.append(timeout)
      clock += 3_000_000
      return pollResults.isEmpty ? .success(PollResult(events: 0, wake: 0)) : pollResults.removeFirst()
    }
    return try next.get()
  }

  package func openDeviceEvents() throws(Errno) -> Int32 {
    try begin("netlink")
    let descriptor = newDescriptor()
    locked { _ = monitors.insert(descriptor) }
    return descriptor
  }

  package func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno)
    -> Datagram
  {
    try begin("recv")
    let next = locked { datagrams.isEmpty ? nil : datagrams.removeFirst() }
    guard let next else { throw .tryAgain }
    buffer.copyBytes(from: next.bytes.prefix(buffer.count))
    return Datagram(length: next.bytes.count, isFromKernel: next.isFromKernel)
  }

  package func now() -> Int64 { locked({ world })?.now() ?? locked { clock } }

  package func names(in folder: String, limit: Int) throws(Errno) -> [String] {
    guard let names = locked({ folders[folder] }) else { throw .noEntry }
    return Array(names.prefix(limit))
  }

  package func contents(of path: String, limit: Int) throws(Errno) -> [UInt8] {
    guard let text = locked({ files[path] }) else { throw .noEntry }
    return Array(text.utf8.prefix(limit))
  }

  package func resolve(_ path: String) throws(Errno) -> String {
    guard let target = locked({ links[path] }) else { throw .noEntry }
    return target
  }
}
