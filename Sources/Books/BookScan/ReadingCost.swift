/// The processor time of one photo by stage: user and system seconds of all threads of the process that read the photo. Includes
/// other work of the process at the same time.
public struct ReadingCost: Sendable, Hashable, Codable {
  /// Decoding the file and turning it upright.
  public var decoding = 0.0
  /// Finding the text.
  public var detection = 0.0
  /// Reading the text. If a recogniser finds and reads text in one step, this is the time of both.
  public var recognition = 0.0
  /// Reading again the lines that seem to be in another script.
  public var secondScript = 0.0
  /// Looking for barcodes and for the spines that the lines make.
  public var spines = 0.0

  /// Creates a cost of 0 in all stages.
  public init() {}

  /// The sum of all stages, seconds.
  public var total: Double { decoding + detection + recognition + secondScript + spines }

  /// Adds two costs stage by stage.
  public static func + (left: ReadingCost, right: ReadingCost) -> ReadingCost {
    var sum = left
    sum.decoding += right.decoding
    sum.detection += right.detection
    sum.recognition += right.recognition
    sum.secondScript += right.secondScript
    sum.spines += right.spines
    return sum
  }
}

/// Measures the processor time of this process for stages that follow each other.
struct StageClock {
  private var mark = ProcessorUse.ofProcess

  /// Returns the processor seconds since the last call, or since the clock was created.
  mutating func stage() -> Double {
    let now = ProcessorUse.ofProcess
    defer { mark = now }
    return now - mark
  }
}
