/// The machine that a run was made on. Runs with different fingerprints are not compared.
public struct RunEnvironment: Sendable, Hashable, Codable {
  /// All properties that must be equal for two runs to be comparable, in words.
  public var fingerprint: String
  /// The architecture, such as `x86_64`.
  public var architecture: String
  /// The model of the processor, in the kernel's words.
  public var cpu: String
  /// Number of processors that the run could use.
  public var cores: Int
  /// Major and minor version of the kernel, such as `6.1`.
  public var kernel: String
  /// Memory rounded up to a power of two, in GiB.
  public var memoryGiB: Int
  /// Virtualisation: `none`, `virtual machine`, `container`, or both.
  public var isolation: String
  /// The build, `release` or `debug`.
  public var build: String
  /// The frequency governor of the first core. Nil if there is none, as in most virtual machines.
  public var governor: String?
  /// The one-minute load average at the start.
  public var load: Double
  /// The least time in milliseconds that a fixed piece of integer work took at the start: a measure of the machine's speed at that time.
  public var yardstick: Double
  /// Sentences about conditions that make the figures less accurate.
  public var warnings: [String]
  /// The fingerprints of all machines of a merged report. Nil for a single machine.
  public var machines: [String]?
}
