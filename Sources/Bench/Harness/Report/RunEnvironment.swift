/// The machine a run was made on. Runs with different fingerprints are refused, not compared.
public struct RunEnvironment: Sendable, Hashable, Codable {
  /// Everything that must be alike for two runs to be comparable, in words.
  public var fingerprint: String
  /// Such as `x86_64`.
  public var architecture: String
  /// The processor's model, as the kernel names it.
  public var cpu: String
  /// Processors that the run could use.
  public var cores: Int
  /// Release, major and minor, such as `6.1`.
  public var kernel: String
  /// Memory rounded up to a power of two, in GiB.
  public var memoryGiB: Int
  /// `none`, `virtual machine`, `container`, or both.
  public var isolation: String
  /// `release` or `debug`.
  public var build: String
  /// The frequency governor of the first core; nil where there is none, as in most virtual machines.
  public var governor: String?
  /// The one-minute load average at the start.
  public var load: Double
  /// Least milliseconds a fixed piece of integer work took at the start: how fast the machine was just then.
  public var yardstick: Double
  /// Sentences on what makes the figures less sure.
  public var warnings: [String]
  /// The fingerprints of all machines of a merged report; nil where it is one.
  public var machines: [String]?
}
