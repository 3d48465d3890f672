import BookScan
import Imagery

/// The alignment of a photo with a view. A view is the earlier photos of one place.
struct ViewAlignment: Sendable {
  /// The number of views that are tried, latest first.
  private static let viewLimit = 16

  var view: Int
  var fit: ViewFit

  /// The view that contains most spines of the photo, found by the spines whose text is equal in both.
  /// - Parameter latest: the number of the latest view.
  /// - Returns: nil if the photo overlaps no view.
  static func best(of photo: SightedPhoto, over spines: [KnownSpine], latest: Int) -> ViewAlignment? {
    var anchors: [Int: [ViewFit.Anchor]] = [:]
    for (index, sighting) in photo.sightings.enumerated() where !photo.isCut(index) {
      for (owner, known) in spines.enumerated()
      where known.view > latest - viewLimit && photo.texts[index].isSame(as: known.text) {
        guard let place = known.place else { continue }
        anchors[known.view, default: []].append(
          ViewFit.Anchor(
            sighting: index, entry: owner, from: sighting.spine.box, to: place,
            looksAlike: KnownSpine.isNear(sighting.look, known.look)))
      }
    }
    let alignments = anchors.compactMap { view, anchors in
      ViewFit.best(of: anchors, size: photo.size).map { ViewAlignment(view: view, fit: $0) }
    }
    return alignments.filter { $0.isCredible(for: photo, over: spines) }
      .max { ($0.fit.support, $0.view) < ($1.fit.support, $1.view) }
  }

  /// Whether the alignment is not by chance. Photos of different shelves share titles, some of which are in a similar arrangement by chance. If
  /// photos truly overlap, at least 40 % of the spines at the places of known ones read the same.
  private func isCredible(for photo: SightedPhoto, over spines: [KnownSpine]) -> Bool {
    let known = spines.filter { $0.view == view }.compactMap(\.place)
    let covered = photo.sightings.count { sighting in
      let place = fit.applied(to: sighting.spine.box)
      return known.contains { place.shareOfSmaller($0) >= 0.3 }
    }
    return Double(fit.support) >= 0.4 * Double(covered)
  }
}
