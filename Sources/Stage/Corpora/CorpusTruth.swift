/// A rectangle in a picture, in continuous pixel coordinates: the first pixel covers 0 to 1.
public struct TruthBox: Hashable, Sendable {
  /// Left edge.
  public var x: Double
  /// Upper edge.
  public var y: Double
  /// Width in pixels.
  public var width: Double
  /// Height in pixels.
  public var height: Double

  /// Creates a rectangle. It is not checked against any picture.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// The truth about the content of the pictures, and about the deliberate faults of the frames: `truth.json`.
public struct CorpusTruth: Hashable, Sendable {
  /// The format version that a truth must name to be read.
  public static let schema = "swiftwing-truth/1"

  /// A spine that a person can read.
  public struct Spine: Hashable, Sendable {
    /// The title, as printed on the spine.
    public var title: String
    /// The author, as printed on the spine.
    public var author: String
    /// Clockwise turn of the text in the upright picture, in degrees: 0 as this line, 90 reads top to bottom, 270 bottom to top.
    public var textAngle: Int
    /// Whether the letters stand upright one below the other.
    public var isStacked: Bool
    /// The place in the upright picture of `file`, or if that is nil, in the scene that the views show.
    public var box: TruthBox
    /// The picture with the spine. Nil if it is in the scene.
    public var file: String?

    /// Creates a spine with its place.
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

  /// The part of the scene that a frame shows.
  public struct View: Hashable, Sendable {
    /// The file of the frame.
    public var file: String
    /// The horizontal position in the scene of the frame's top left corner, in the middle of the frame's exposure, in pixels from the left edge.
    public var x: Double
    /// The vertical position in the scene of the frame's top left corner, in the middle of the frame's exposure, in pixels from the upper edge.
    public var y: Double
    /// The true angle at which the device was held, in degrees clockwise. Its sensor's `angle` events are noisy and late. Nil if unknown.
    public var attitude: Double?

    /// Creates a view of a frame.
    public init(file: String, x: Double, y: Double, attitude: Double? = nil) {
      self.file = file
      self.x = x
      self.y = y
      self.attitude = attitude
    }
  }

  /// A deliberate fault in the track.
  public struct Fault: Hashable, Sendable {
    /// The kind of fault, by its visible effect.
    public enum Kind: String, Sendable, CaseIterable {
      /// A frame with fewer bytes than its format has.
      case shortFrame
      /// A frame whose bytes are no picture.
      case corruptFrame
      /// Frames that the device counted and did not deliver.
      case sequenceGap
      /// Nothing is delivered, although the device reports streaming.
      case stall
      /// The device reports that there is no picture for now.
      case interruption
      /// The device is unplugged and comes back.
      case unplug
    }

    /// The kind of fault.
    public var kind: Kind
    /// Start, in nanoseconds of the track.
    public var time: Int64
    /// Duration without a good frame, in nanoseconds; 0 for a single frame.
    public var durationNanoseconds: Int64
    /// The bad frame. Nil for faults without one.
    public var file: String?
    /// Number of frames that were not delivered.
    public var lostFrames: Int

    /// Creates a fault of the track. `verify` checks that it is present.
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

  /// All readable spines, of pictures and of the scene.
  public var spines: [Spine] = []
  /// The part of the scene that each frame shows. Empty for stills.
  public var views: [View] = []
  /// The deliberate faults in the track. Empty for a sound track.
  public var faults: [Fault] = []

  /// Creates a truth; all parts may be empty.
  public init(spines: [Spine] = [], views: [View] = [], faults: [Fault] = []) {
    self.spines = spines
    self.views = views
    self.faults = faults
  }

  /// Returns the spines of a frame, with boxes in its own upright picture. Those of a scene may lie partly or wholly outside.
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
