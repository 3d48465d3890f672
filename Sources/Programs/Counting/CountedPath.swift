import Probes

/// A path of the program whose instructions are counted. The same input gives the same count under any load.
///
/// Sources of variation are excluded: time is virtual, work runs on one thread where possible, and hashing has one seed.
package struct CountedPath: Sendable {
  /// The identifier, such as `photo.mjpg-1280x720`.
  package let id: String
  /// A title of a few words.
  package let title: String
  /// The unit of the counts: `photo`, `frame`, `picture`.
  package let unit: String
  /// The group of the path, which has a scenario of its own.
  package let group: Group
  /// Whether several threads take part. How often one waits for another varies from run to run, so the instructions of this
  /// project's own functions are a metric of their own there.
  var hasThreads = false
  /// Prepares the work, and passes it to the counter.
  let run: @Sendable (Rig, WorkCounter) async throws -> Void
  /// The C floor: the same work in the shortest C on the same libraries. Nil if there is none.
  var floor: (@Sendable (Rig, WorkCounter) throws -> Void)?

  /// The name under which the count of the C floor is written.
  var floorID: String { "\(id).floor" }

  /// A group of paths that are counted in one process.
  package enum Group: String, Sendable, CaseIterable {
    /// Photos, previews, looks.
    case pixels
    /// Sessions, recordings, controls.
    case engine
    /// Books, the queue, the library.
    case books
    /// Reports and comparisons, the page and its channel.
    case harness
  }

  /// All paths, in the order of the report.
  package static let all: [CountedPath] = pixels + engine + books + harness

  /// Returns the path with this identifier, nil if there is none.
  package static func named(_ id: String) -> CountedPath? { all.first { $0.id == id } }
}
