/// Where the processor time of one photo went: seconds of all threads of the process that read it, user and system. Work that the
/// process did beside it is in it.
public struct ReadingCost: Sendable, Hashable, Codable {
  /// Decoding the file and turning it upright.
  public var decoding = 0.0
  /// Looking for text.
  public var detection = 0.0
  /// Reading it. A recogniser that does both at once has all of it here.
  public var recognition = 0.0
  /// Reading once more what looks like another script.
  public var secondScript = 0.0
  /// Looking for barcodes and for the spines that the lines make.
  public var spines = 0.0

  /// Nothing yet.
  public init() {}

  /// Of all stages, seconds.
  public var total: Double { decoding + detection + recognition + secondScript + spines }

  /// Stage by stage.
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

/// Divides the processor time of this process among stages that follow each other.
struct StageClock {
  private var mark = ProcessorUse.ofProcess

  /// Seconds since the last call, or since it was made.
  mutating func stage() -> Double {
    let now = ProcessorUse.ofProcess
    defer { mark = now }
    return now - mark
  }
}
