import Glibc

/// What a program said until its end.
package struct ProgramOutput: Sendable {
  package var end: ChildProcess.End
  /// Standard output, or its beginning.
  package var output: [UInt8]
  /// Standard error, or its beginning, where it was asked for.
  package var errors: [UInt8]
  /// False when there was more on standard output than the limit.
  package var isWhole: Bool
}

extension ChildProcess {
  /// Runs a program to its end.
  /// - Parameters:
  ///   - limit: bytes of standard output that are kept.
  ///   - isEndedBeyond: a program that says more is killed; otherwise the rest is dropped.
  ///   - errors: where standard error goes, unless it is kept.
  ///   - errorLimit: bytes of standard error that are kept; nil for none.
  /// - Throws: why it cannot be started.
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
