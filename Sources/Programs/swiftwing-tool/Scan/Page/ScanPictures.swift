import BookScan
import Harness
import Imagery

/// The pictures of one photograph of a page: itself, and a crop of each spine.
struct ScanPictures {
  /// An `img`; nil where there can be none.
  private(set) var photo: String?
  /// A paragraph why there is none.
  private(set) var reason = ""
  /// An `img` of each outline, or nothing; none at all where there is no room for any.
  private(set) var crops: [String] = []

  /// - Parameter bytes: of the photograph's file, which is decoded once for all crops.
  init(_ bytes: [UInt8], of section: ScanPageSection, within budget: ScanPageBudget) {
    do {
      let (image, orientation, _) = try ImageFile.read(bytes)
      photo = try PhotoPicture.html(
        image, orientation, alt: section.alt, longSide: 1600, maximumBytes: budget.photo)
      let room = budget.crop(spines: section.outlines.count)
      guard room >= ScanPageBudget.leastCrop, !section.outlines.isEmpty else { return }
      let upright = try UprightPhoto(image, orientation: orientation)
      crops = section.outlines.map { Self.crop(upright, $0, room: room) }
    } catch {
      reason = "<p>\(HTMLText.escape("No picture: \(error)"))</p>"
    }
  }

  /// Nothing where the outline lies outside of the photo; its row says all that was read.
  private static func crop(_ photo: UprightPhoto, _ outline: [Point], room: Int) -> String {
    let crop = try? SpineCrop(photo, outline: outline, longSide: 480, maximumBytes: room)
    // What it shows is read beside it.
    return crop.map { crop in
      let kind = crop.size.height > crop.size.width ? "tall" : nil
      return PhotoPicture.html(crop.jpeg, crop.size, alt: "", kind: kind)
    } ?? ""
  }
}
