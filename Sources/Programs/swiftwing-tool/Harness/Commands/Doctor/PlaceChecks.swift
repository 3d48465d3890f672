import Library

/// Checks the places where commands read and write: recordings, the library, reports.
struct PlaceChecks {
  let surroundings: Surroundings
  /// The corpora that `bench` measures if no source is named.
  static let bundled: Set<String> = ["shelf-pan", "stills-12mp", "trouble", "turn", "turn-mirrored"]
  /// The recommended free space in bytes: the needs of a session of some hundred photos, and the reserve of delivery.
  private static let ample: Int64 = 500 << 20
  /// The least free space in bytes. With less, a photo is refused.
  private static let least: Int64 = 17 << 20

  var findings: [Diagnosis] { [corpora, library, reports] }

  private var corpora: Diagnosis {
    let absent = Self.bundled.subtracting(surroundings.corpora()).sorted()
    guard !absent.isEmpty else {
      return .ok("corpora", "all that are bundled", for: ["view", "bench", "scan"])
    }
    return .missing(
      "corpora", "\(absent.joined(separator: ", ")) not found",
      remedy: "install SwiftWing again, or name the folder with SWIFTWING_CORPUS",
      for: absent.contains("shelf-pan") ? ["view", "bench"] : ["bench"])
  }

  private var library: Diagnosis {
    let commands = ["scan", "queue", "library"]
    let folder: String
    do throws(DeliveryError) { folder = try Store.standardDirectory(surroundings.environment) } catch {
      return .missing(
        "library", "neither HOME nor XDG_DATA_HOME says where it is", remedy: "set HOME, or use --library",
        for: commands)
    }
    guard let free = nearest(folder) else {
      return .missing(
        "library", "\(folder) cannot be written", remedy: "change its permissions, or use --library",
        for: commands)
    }
    let told = "\(folder), \(free >> 20) MiB free"
    if free < Self.least {
      return .missing(
        "library", told, remedy: "free some space, or put the library on another disk with --library",
        for: ["scan"])
    }
    return free < Self.ample
      ? .limited("library", told, remedy: "free some space before a long session", for: ["scan"])
      : .ok("library", told, for: commands)
  }

  /// Returns the free space at a folder, or at the folder in which it would be created.
  private func nearest(_ folder: String) -> Int64? {
    var path = folder
    while true {
      if let free = surroundings.freeBytes(path.isEmpty ? "/" : path) { return free }
      // A folder that exists but cannot be written is no place to create another one.
      guard !surroundings.exists(path), let slash = path.lastIndex(of: "/") else { return nil }
      path = String(path[..<slash])
    }
  }

  private var reports: Diagnosis {
    let commands = ["bench", "qualify"]
    guard let free = surroundings.freeBytes("."), free >= Self.least else {
      return .limited(
        "reports", "the current folder cannot be written, or its disk is full",
        remedy: "run the command in another folder, or use --out",
        for: commands)
    }
    return .ok("reports", "the current folder, \(free >> 20) MiB free", for: commands)
  }
}
