import Probes

/// A path of the program whose work is counted, instruction by instruction: the same input, the same count, on any load.
///
/// What differs from run to run stands outside of what is counted: time is virtual, threads are one where the work can be, hashes have one seed.
package struct CountedPath: Sendable {
  /// Such as `photo.mjpg-1280x720`.
  package let id: String
  /// A few words for a reader.
  package let title: String
  /// What is counted once each: `photo`, `frame`, `picture`.
  package let unit: String
  /// The suite of the path: which scenario counts it.
  package let group: Group
  /// Prepares, and hands the work to the counter.
  let run: @Sendable (Rig, WorkCounter) async throws -> Void
  /// The same by hand, in the shortest C on the same libraries; nil where there is none.
  var floor: (@Sendable (Rig, WorkCounter) throws -> Void)?

  /// Under which name the floor's count is written.
  var floorID: String { "\(id).floor" }

  /// Paths that are counted in one process.
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

  /// In the order of the report.
  package static let all: [CountedPath] = pixels + engine + books + harness

  /// The path of that id.
  package static func named(_ id: String) -> CountedPath? { all.first { $0.id == id } }
}
