import ArgumentParser
import BookScan
import Imagery

/// The options of `photo` that choose its size by legibility.
struct LegibleOptions: ParsableArguments {
  /// The share of the words that must stay legible with `--legible` without a number, percent.
  static let ordinary = 98.0

  @Option(
    help: ArgumentHelp(
      "Choose the cheapest size that keeps this share of the words read at full size, in percent; 98 if no number follows.",
      valueName: "SHARE"))
  var legible: Double?
  @Flag(
    help:
      "Make several photos of the parts with text in them, OUT-1 and so on, where they keep more or cost less than one of the whole."
  )
  var crops = false
  @OptionGroup var recognition: RecognitionOptions

  /// Refuses options that cannot be combined.
  /// - Parameters:
  ///   - longSide: the value of `--long-side`.
  ///   - isRepeated: whether `--repeat` is given.
  ///   - isSeveral: whether `--burst` or `--bracket` is given.
  func check(longSide: Int?, isRepeated: Bool, isSeveral: Bool) throws {
    guard let legible else {
      guard recognition.isOrdinary else {
        throw ValidationError(
          "--level, --recognizer-engine, --languages and --models say how --legible reads; add --legible")
      }
      guard !crops else { throw ValidationError("--crops belongs to --legible; add --legible") }
      return
    }
    guard legible > 0, legible <= 100 else {
      throw ValidationError("--legible must be above 0 and at most 100 percent, not \(legible)")
    }
    guard longSide == nil else {
      throw ValidationError("--long-side and --legible both choose the size; give one of them")
    }
    guard !isRepeated, !isSeveral else {
      throw ValidationError("--legible makes one photo; leave out --repeat, --burst and --bracket")
    }
  }

  /// Returns the reader. If none works and none was chosen by name, the proxy decides, and a note says why.
  func reader() throws -> (reader: LegibilityReader?, notes: [String]) {
    do {
      let worker = try recognition.makeWorker()
      return (LegibilityReader(worker: worker, level: recognition.level), [])
    } catch let error as ScanError where error.isUnavailability && recognition.recognizerEngine == nil {
      return (nil, ["Nothing can be read here, so the height of the letters decided. \(error)"])
    }
  }

  func goal(_ profile: TokenProfile, maxTokens: Int?) -> LegibilityGoal {
    LegibilityGoal(profile: profile, share: (legible ?? Self.ordinary) / 100, maxTokens: maxTokens)
  }
}

extension LegibleOptions {
  /// Adds the default number to a `--legible` without one, which the parser does not support.
  /// - Parameter arguments: the arguments after the program's name.
  static func completed(_ arguments: [String]) -> [String] {
    guard arguments.first == "photo",
      let index = arguments.firstIndex(where: { $0 == "--legible" || $0 == "--" }),
      arguments[index] == "--legible"
    else { return arguments }
    let next = index + 1
    if next < arguments.count, Double(arguments[next]) != nil { return arguments }
    return arguments[..<index] + ["--legible=\(Int(ordinary))"] + arguments[next...]
  }
}
