import BookScan

/// Recognises known spines in a photo by their places. Text and look only confirm a place. So copies of one title side by side stay separate, and a
/// spine that was misread once is recognised again.
struct PlaceMatching: Sendable {
  /// The recognised sightings: indices into the memory by indices into the photo.
  private(set) var owners: [Int: Int] = [:]
  /// Sightings in which two known spines were read as one.
  private(set) var mixed: Set<Int> = []
  /// Known spines that turned out to be fragments of another known spine, which this photo shows whole.
  private(set) var parts: [(part: Int, whole: Int)] = []

  /// - Parameter places: the places of the sightings, in the pixels of the view.
  init(_ photo: SightedPhoto, at places: [Box], in view: Int, among spines: [KnownSpine]) {
    let known = spines.indices.filter { spines[$0].view == view && spines[$0].place != nil }
    for index in photo.sightings.indices {
      match(index, photo, place: places[index], known: known, spines: spines)
    }
  }

  private mutating func match(
    _ index: Int, _ photo: SightedPhoto, place: Box, known: [Int], spines: [KnownSpine]
  ) {
    let (sighting, text) = (photo.sightings[index], photo.texts[index])
    let thickness = place.thickness(sighting.spine.angle)
    let under = known.filter { owner in spines[owner].place.map { place.shareOfSmaller($0) >= 0.5 } ?? false }
    let held = under.filter { text.holds(spines[$0].text) }
    if held.count(where: { spines[$0].thickness < thickness * 0.67 }) >= 2 {
      mixed.insert(index)
      return
    }
    let candidates = under.compactMap { owner -> (owner: Int, share: Double)? in
      guard let there = spines[owner].place else { return nil }
      let isOne = isOne(
        sighting, text, place: place, thickness: thickness, known: spines[owner], there: there)
      return isOne ? (owner, place.shareOfLarger(there)) : nil
    }
    guard let owner = candidates.max(by: { $0.share < $1.share })?.owner else { return }
    owners[index] = owner
    for part in held where part != owner && spines[part].thickness > thickness * 0.67 {
      parts.append((part, owner))
    }
  }

  private func isOne(
    _ sighting: SpineSighting, _ text: SpineText, place: Box, thickness: Double, known: KnownSpine,
    there: Box
  ) -> Bool {
    // A known spine less than half as thick may be one of two that were read as one here.
    guard thickness >= known.thickness * 0.5 else { return false }
    return text.isAlike(known.text) || KnownSpine.isNear(sighting.look, known.look)
      || place.intersectionOverUnion(there) >= 0.6
  }
}
