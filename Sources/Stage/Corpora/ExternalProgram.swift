import Glibc
import System

/// Another program, run with an array of arguments and without a shell.
enum ExternalProgram {
  struct Output {
    /// The exit status, or 128 + the signal.
    let status: Int32
    let output: [UInt8]
    /// The first 4 KiB of standard error.
    let complaints: String
  }

  /// Runs the program to its end.
  /// - Parameter limit: the largest number of bytes of standard output; a program that writes more is stopped.
  static func run(_ name: String, _ arguments: [String], limit: Int = 256 << 20) throws(CorpusError) -> Output
  {
    let said: ProgramOutput
    do throws(SystemError) {
      said = try ChildProcess.run(
        name, arguments, keeping: limit, isEndedBeyond: true, keepingErrors: 4096)
    } catch {
      throw refusal(name, error)
    }
    guard said.isWhole else {
      throw CorpusError(
        .limit, "read the output of \(name)", reason: "it has more than \(limit) bytes",
        remedy: "import a shorter video")
    }
    return Output(
      status: said.end.status, output: said.output,
      complaints: String(decoding: said.errors, as: UTF8.self))
  }

  private static func refusal(_ name: String, _ error: SystemError) -> CorpusError {
    switch error.code {
    case ENOENT:
      CorpusError(
        .tool, "run \(name)", reason: "it is not installed",
        remedy: "install it with `apt-get install ffmpeg`")
    default:
      CorpusError(
        .system, "run \(name)", reason: CorpusError.reason(error.code),
        remedy: "end other programs and try again")
    }
  }
}
