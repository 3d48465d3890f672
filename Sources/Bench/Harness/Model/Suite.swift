/// A chapter of the report: scenarios that answer the same question.
public struct Suite: Hashable, Sendable, Codable {
  /// The name used with `--suite`, such as `latency`.
  public let id: String
  /// The heading of the chapter in the report.
  public let title: String

  /// Creates a suite of your own. The harness runs the scenarios that name it.
  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }

  /// From the start to the first picture and photo.
  public static let coldStart = Suite(id: "cold-start", title: "Cold start")
  /// From light to surface, and the evenness of pictures.
  public static let latency = Suite(id: "latency", title: "Latency")
  /// Every output upright at every angle.
  public static let rotation = Suite(id: "rotation", title: "Rotation")
  /// Size, quality, cost and time of photos.
  public static let photo = Suite(id: "photo", title: "Photo")
  /// Colours by the table of a `.cube` file.
  public static let looks = Suite(id: "looks", title: "Looks")
  /// Videos and corpora recorded from a camera.
  public static let recording = Suite(id: "recording", title: "Recording")
  /// Interruptions, and the way back from them.
  public static let recovery = Suite(id: "recovery", title: "Recovery")
  /// Operation of the camera: exposure, focus, zoom, change of camera.
  public static let controls = Suite(id: "controls", title: "Controls")
  /// A camera with motors that follows a subject.
  public static let dock = Suite(id: "dock", title: "Dock")
  /// Books read from pictures. Needs a text recogniser.
  public static let scan = Suite(id: "scan", title: "Scan")
  /// Queue, library and backend, under faults.
  public static let delivery = Suite(id: "delivery", title: "Delivery")

  /// Real drivers with their faults, in the device lab.
  public static let device = Suite(id: "device", title: "Real devices")
  /// Other programs on the same device.
  public static let peers = Suite(id: "peers", title: "Beside other programs")

  /// Photos made smaller by other programs.
  public static let peersPhoto = Suite(id: "peers-photo", title: "Photos against other programs")

  /// Instructions of each path, counted. Needs valgrind.
  public static let counted = Suite(id: "counted", title: "Counted work")

  /// The suites that run when none is named, in the order of the report. They need no device and no text recogniser, and take a little under two
  /// minutes.
  public static let ordinary: [Suite] = [
    .coldStart, .latency, .rotation, .photo, .looks, .recording, .controls, .dock, .recovery, .delivery,
  ]
  /// All suites, in the order in which they are run and shown.
  public static let all: [Suite] = ordinary + [.scan, .counted, .device, .peers, .peersPhoto]
}
