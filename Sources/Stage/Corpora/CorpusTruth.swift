/// A rectangle in a picture, in pixels, continuous: the first pixel covers 0 to 1.
public struct TruthBox: Hashable, Sendable {
  /// Left edge.
  public var x: Double
  /// Upper edge.
  public var y: Double
  /// Columns, whole or not.
  public var width: Double
  /// Rows, whole or not.
  public var height: Double

  /// A rectangle; it is not checked against any picture.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// What is in the pictures of a corpus, and what is wrong with its frames on purpose: `truth.json`.
public struct CorpusTruth: Hashable, Sendable {
  /// Which version of the format a truth must name to be read.
  public static let schema = "swiftwing-truth/1"

  /// A spine that a person can read.
  public struct Spine: Hashable, Sendable {
    /// As it is printed on the spine.
    public var title: String
    /// As it is printed.
    public var author: String
    /// Clockwise turn of the text in the upright picture, in degrees: 0 as this line, 90 reads top to bottom, 270 bottom to top.
    public var textAngle: Int
    /// The letters stand upright one below the other.
    public var isStacked: Bool
    /// In the upright picture of `file`, or, when that is nil, in the scene that the views look at.
    public var box: TruthBox
    /// The picture that it is in; nil when it is in the scene.
    public var file: String?

    /// A spine with its place.
    public init(
      title: String, author: String, textAngle: Int, isStacked: Bool = false, box: TruthBox,
      file: String? = nil
    ) {
      self.title = title
      self.author = author
      self.textAngle = textAngle
      self.isStacked = isStacked
      self.box = box
      self.file = file
    }
  }

  /// What one frame shows.
  public struct View: Hashable, Sendable {
    /// The frame.
    public var file: String
    /// The position in the scene of the frame's top left corner half way through its exposure, in pixels.
    public var x: Double
    /// As `x`, from the upper edge of the scene.
    public var y: Double
    /// How the device was truly held, in degrees clockwise; its sensor's `angle` events are noisy and late.
    public var attitude: Double?

    /// What one frame shows of the scene.
    public init(file: String, x: Double, y: Double, attitude: Double? = nil) {
      self.file = file
      self.x = x
      self.y = y
      self.attitude = attitude
    }
  }

  /// Trouble that was put into the track on purpose.
  public struct Fault: Hashable, Sendable {
    /// What kind of trouble, by what a program sees of it.
    public enum Kind: String, Sendable, CaseIterable {
      /// A frame with fewer bytes than its format has.
      case shortFrame
      /// A frame whose bytes are no picture.
      case corruptFrame
      /// Frames that the device counted and never delivered.
      case sequenceGap
      /// Nothing comes, though the device says that it streams.
      case stall
      /// The device says that there is no picture for now.
      case interruption
      /// The device goes and comes back.
      case unplug
    }

    /// What kind of trouble.
    public var kind: Kind
    /// When it begins, in nanoseconds of the track.
    public var time: Int64
    /// How long nothing good comes; 0 for a single frame.
    public var durationNanoseconds: Int64
    /// The bad frame.
    public var file: String?
    /// How many frames never came.
    public var lostFrames: Int

    /// A fault that the track holds; `verify` checks that it is there.
    public init(
      kind: Kind, time: Int64, durationNanoseconds: Int64 = 0, file: String? = nil, lostFrames: Int = 0
    ) {
      self.kind = kind
      self.time = time
      self.durationNanoseconds = durationNanoseconds
      self.file = file
      self.lostFrames = lostFrames
    }
  }

  /// All spines that a person can read, of pictures and of the scene.
  public var spines: [Spine] = []
  /// What each frame shows of the scene; empty for stills.
  public var views: [View] = []
  /// Trouble that is in the track on purpose; empty for a sound one.
  public var faults: [Fault] = []

  /// The truth of a corpus; all of it may be empty.
  public init(spines: [Spine] = [], views: [View] = [], faults: [Fault] = []) {
    self.spines = spines
    self.views = views
    self.faults = faults
  }

  /// The spines of a frame, with boxes in its own upright picture; those of a scene may lie partly or wholly outside.
  public func spines(in file: String) -> [Spine] {
    let own = spines.filter { $0.file == file }
    guard let view = views.first(where: { $0.file == file }) else { return own }
    return own
      + spines.filter { $0.file == nil }.map { spine in
        var spine = spine
        spine.box.x -= view.x
        spine.box.y -= view.y
        spine.file = file
        return spine
      }
  }
}
