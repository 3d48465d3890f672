import Glibc

package struct ProgramOutput: Sendable {
  package var end: ChildProcess.End
  /// The standard output, or its beginning.
  package var output: [UInt8]
  /// The standard error, or its beginning. Empty unless requested.
  package var errors: [UInt8]
  /// Whether `output` is complete. False if it was longer than the limit.
  package var isWhole: Bool
}

extension ChildProcess {
  /// Runs a program to its end.
  /// - Parameters:
  ///   - limit: the number of bytes of standard output to keep.
  ///   - isEndedBeyond: whether a program with a longer output is killed. Otherwise the rest is dropped.
  ///   - errors: the target of standard error, unless it is kept.
  ///   - errorLimit: the number of bytes of standard error to keep. Nil to keep none.
  /// - Throws: the reason why the program cannot be started.
  package static func run(
    _ program: String, _ arguments: [String], input: Stream = .nothing, keeping limit: Int,
    isEndedBeyond: Bool = false, errors: Stream = .inherited, keepingErrors errorLimit: Int? = nil
  ) throws(SystemError) -> ProgramOutput {
    let said = try ProcessPipe()
    var complained: ProcessPipe?
    if errorLimit != nil { complained = try ProcessPipe() }
    let child = try ChildProcess(
      program, arguments, input: input, output: .descriptor(said.writer),
      errors: complained.map { .descriptor($0.writer) } ?? errors)
    said.closeWriter()
    complained?.closeWriter()
    while said.reader >= 0 || complained?.reader ?? -1 >= 0 {
      var waiting = [said.reader, complained?.reader ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&waiting, 2, -1) > 0 else { continue }
      if waiting[0].revents != 0 { said.read(keeping: limit) }
      if waiting[1].revents != 0 { complained?.read(keeping: errorLimit ?? 0) }
      if said.isCut, isEndedBeyond {
        child.send(SIGKILL)
        break
      }
    }
    return ProgramOutput(
      end: child.wait(), output: said.bytes, errors: complained?.bytes ?? [], isWhole: !said.isCut)
  }
}
