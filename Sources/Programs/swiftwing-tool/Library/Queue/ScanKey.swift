import ArgumentParser
import Foundation
import Library

/// The name of a scan on the command line.
struct ScanKey: ExpressibleByArgument {
  let uuid: UUID

  init?(argument: String) {
    guard let uuid = UUID(uuidString: argument) else { return nil }
    self.uuid = uuid
  }

  func unknown(_ action: String, _ reason: String, in place: LibraryPlace) throws -> DeliveryError {
    DeliveryError(
      .badInput, "\(action) \(uuid.uuidString.lowercased())", reason: reason,
      remedy: "see `\(try place.command("queue", "list"))`")
  }
}

extension [ScanKey] {
  /// The keys without repetitions, in their order.
  var unique: [ScanKey] {
    var seen: Set<UUID> = []
    return filter { seen.insert($0.uuid).inserted }
  }
}
