import BookScan
import Dispatch
import Glibc
import Imagery
import Probes
import System

/// Reads photos for another process of this program; see `RecognitionWorker`.
enum Recognizer {
  /// The first argument of such a process; no command of a user's.
  static let name = "recognizer"

  /// - Parameter arguments: those after the name; with `slower=PERCENT` each photo takes so much more processor time, which `bench --fault` asks for.
  static func run(_ arguments: ArraySlice<String>) -> Never {
    let slower = arguments.compactMap { $0.hasPrefix(mark) ? Int($0.dropFirst(mark.count)) : nil }.first ?? 0
    RecognitionService.run { (choice) throws(ScanError) in
      let reader = try RecognitionService.Reader(choice)
      return slower > 0 ? reader.slower(by: slower) : reader
    }
  }

  /// What makes a recogniser take more of its own processor time; nothing for 0.
  /// - Parameter percent: 0...1000.
  static func arguments(slower percent: Int) -> [String] { percent > 0 ? ["\(mark)\(percent)"] : [] }

  private static let mark = "slower="
}

extension RecognitionService.Reader {
  /// The threads that the recogniser has, over which it spreads its work.
  private static let threads = 2

  /// The same, which takes so much more of its own processor time for each photo, on as many threads.
  fileprivate func slower(by percent: Int) -> RecognitionService.Reader {
    var slower = self
    // From answer to answer, so that what passes the photo and the findings on is in it; of the first photo, without loading the models.
    var mark: Duration?
    slower.read = { [read] (picture, level, reading) throws(ScanError) in
      let began = mark ?? Self.processorTime
      let findings = try read(picture, level, reading)
      let share = (Self.processorTime - began) / Self.threads
      DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
        ProcessorBurn().take(percent, of: share)
      }
      mark = Self.processorTime
      return findings
    }
    return slower
  }

  /// Of all threads of this process.
  private static var processorTime: Duration {
    .nanoseconds(KernelClock.nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
  }
}
