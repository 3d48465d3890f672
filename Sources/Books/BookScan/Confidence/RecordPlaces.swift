/// The places of a photo's records, and how they lie relative to each other.
struct RecordPlaces {
  struct Place {
    var frame: SpineFrame
    var extent: SpineFrame.Extent
    /// The height of the letters of the record's longest line, pixels.
    var letter: Double
    var isStanding: Bool
    var regions: [TextRegion]

    /// The length of the record's text along the spine. Lying text may run along a spine or across it, so its longer side counts.
    var span: Double { isStanding ? extent.along.length : max(extent.along.length, extent.across.length) }

    init?(_ group: SpineGroup) {
      guard let main = group.main else { return nil }
      let line = ShelfLine(main)
      (frame, isStanding, letter) = (line.frame, line.isStanding, main.region.height)
      extent = group.extent(frame)
      regions = group.lines.map(\.region)
    }

    /// Whether the two texts have the same direction or opposite ones, within 12°.
    func isParallel(_ other: Place) -> Bool { abs(frame.along.cross(other.frame.along)) < 0.2079 }

    func extent(of other: Place) -> SpineFrame.Extent? {
      let extents = other.regions.map { frame.extent($0) }
      guard let first = extents.first else { return nil }
      return extents.dropFirst().reduce(first) {
        SpineFrame.Extent(along: $0.along.union($1.along), across: $0.across.union($1.across))
      }
    }
  }

  let places: [Place]
  /// The median of the records' letter heights, pixels; 0 without a record.
  let letter: Double
  /// Whether more than half of the text, by length, reads up or down.
  let isMostlyStanding: Bool

  init(_ places: [Place]) {
    self.places = places
    let letters = places.map(\.letter).sorted()
    letter = letters.isEmpty ? 0 : letters[letters.count / 2]
    let standing = places.filter(\.isStanding).reduce(0) { $0 + $1.span }
    isMostlyStanding = standing > 0.5 * places.reduce(0) { $0 + $1.span }
  }

  /// The relation of the other records to one record.
  struct Neighbourhood: Equatable {
    /// The number of sides on which another record runs parallel to the record, nearer than 0.6 of the longer record's length, 0…2.
    var sides = 0
    /// The number of records that run parallel beside the record, at any distance.
    var parallels = 0
    /// Whether a longer record is in line with the record, nearer than the record's length or the height of the longer record's
    /// letters, whichever is greater.
    var isFragment = false
    /// The share of the record's text that other records cover, 0…1.
    var covered = 0.0
  }

  func neighbourhood(of index: Int) -> Neighbourhood {
    let place = places[index]
    var (result, before, after) = (Neighbourhood(), false, false)
    for (other, neighbour) in places.enumerated() where other != index {
      result.covered += covered(place, by: neighbour)
      guard place.isParallel(neighbour), let extent = place.extent(of: neighbour) else { continue }
      if isInLine(place, neighbour, extent) { result.isFragment = true }
      guard place.extent.along.share(extent.along) > 0.3, place.extent.across.share(extent.across) < 0.5
      else {
        continue
      }
      result.parallels += 1
      guard -place.extent.across.overlap(extent.across) < 0.6 * max(place.span, extent.along.length) else {
        continue
      }
      if extent.across.middle < place.extent.across.middle { before = true } else { after = true }
    }
    result.sides = (before ? 1 : 0) + (after ? 1 : 0)
    result.covered = min(1, result.covered)
    return result
  }

  /// Returns the share of the photo's text, by length, that runs parallel to the record at `index`, 0…1.
  func parallelShare(of index: Int) -> Double {
    let all = places.reduce(0) { $0 + $1.span }
    let parallel = places.filter { places[index].isParallel($0) }.reduce(0) { $0 + $1.span }
    return all > 0 ? parallel / all : 0
  }

  private func isInLine(_ place: Place, _ other: Place, _ extent: SpineFrame.Extent) -> Bool {
    guard extent.along.length > place.extent.along.length, place.extent.across.share(extent.across) > 0.5,
      place.extent.along.share(extent.along) < 0.3
    else { return false }
    let gap = -place.extent.along.overlap(extent.along)
    return gap < max(place.extent.along.length, other.letter)
  }

  private func covered(_ place: Place, by other: Place) -> Double {
    let area = place.regions.reduce(0) { $0 + $1.area }
    guard area > 0 else { return 0 }
    let common = place.regions.reduce(0) { sum, region in
      sum + other.regions.reduce(0) { $0 + region.intersection($1) }
    }
    return common / area
  }
}
