import BookScan
import Dispatch
import Glibc
import Probes
import System

/// The process that reads photos for another process of this program; see `RecognitionWorker`.
enum Recognizer {
  /// The first argument of a process that reads photos. Not a command for users.
  static let name = "recognizer"

  /// Serves the other process.
  /// - Parameter arguments: the arguments after the name. `slower=PERCENT` increases the processor time of each photo by so many percent, for
  ///   a fault of `bench --fault`.
  static func run(_ arguments: ArraySlice<String>) -> Never {
    let slower = arguments.compactMap { $0.hasPrefix(mark) ? Int($0.dropFirst(mark.count)) : nil }.first ?? 0
    RecognitionService.run { (choice) throws(ScanError) in
      let reader = try RecognitionService.Reader(choice)
      return slower > 0 ? reader.slower(by: slower) : reader
    }
  }

  /// Returns the arguments that start the recogniser with an injected fault: it uses more processor time than it needs. None for 0 percent.
  /// - Parameter percent: the additional time, in percent of the recogniser's own processor time for each photo, 0...1000.
  static func arguments(slower percent: Int) -> [String] { percent > 0 ? ["\(mark)\(percent)"] : [] }

  private static let mark = "slower="
}

extension RecognitionService.Reader {
  /// The number of threads over which the recogniser spreads its work.
  private static let threads = 2

  /// Returns a reader that takes `percent` more of its own processor time for each photo, spread over as many threads as the recogniser
  /// uses.
  fileprivate func slower(by percent: Int) -> RecognitionService.Reader {
    var slower = self
    // Measures from answer to answer, so that passing the photo and the findings is included. For the first photo, loading the
    // models is not.
    var mark: Duration?
    slower.read = { [read] (picture, level, reading, withAppearances) throws(ScanError) in
      let began = mark ?? Self.processorTime
      let findings = try read(picture, level, reading, withAppearances)
      let share = (Self.processorTime - began) / Self.threads
      DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
        ProcessorBurn().take(percent, of: share)
      }
      mark = Self.processorTime
      return findings
    }
    return slower
  }

  /// The processor time of all threads of this process.
  private static var processorTime: Duration {
    .nanoseconds(KernelClock.nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
  }
}
