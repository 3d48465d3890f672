import BookScan
import Imagery

/// How a photo lies over a view: what earlier photos showed of the same place.
struct ViewAlignment: Sendable {
  /// Views that a photo is tried on, latest first.
  private static let viewLimit = 16

  var view: Int
  var fit: ViewFit

  /// The view that most spines of the photo are in, told by those that read the same in both.
  /// - Parameter latest: the number of the latest view.
  /// - Returns: nil when the photo overlaps none.
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

  /// Two photos of different shelves have titles in common, and some of them always lie alike by chance; where photos truly
  /// overlap, most spines that come to lie on known ones read the same.
  private func isCredible(for photo: SightedPhoto, over spines: [KnownSpine]) -> Bool {
    let known = spines.filter { $0.view == view }.compactMap(\.place)
    let covered = photo.sightings.count { sighting in
      let place = fit.applied(to: sighting.spine.box)
      return known.contains { place.shareOfSmaller($0) >= 0.3 }
    }
    return Double(fit.support) >= 0.4 * Double(covered)
  }
}
