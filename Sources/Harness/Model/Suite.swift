/// A chapter of the report: scenarios that answer one question.
public struct Suite: Hashable, Sendable, Codable {
  /// As typed after `--suite`, such as `latency`.
  public let id: String
  public let title: String

  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }

  public static let coldStart = Suite(id: "cold-start", title: "Cold start")
  public static let latency = Suite(id: "latency", title: "Latency")
  public static let rotation = Suite(id: "rotation", title: "Rotation")
  public static let photo = Suite(id: "photo", title: "Photo")
  public static let recovery = Suite(id: "recovery", title: "Recovery")
  public static let scan = Suite(id: "scan", title: "Scan")
  public static let delivery = Suite(id: "delivery", title: "Delivery")

  /// In the order they are run and shown.
  public static let all: [Suite] = [.coldStart, .latency, .rotation, .photo, .recovery, .scan, .delivery]
}
