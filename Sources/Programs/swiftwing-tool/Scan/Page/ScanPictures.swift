import BookScan
import Harness
import Imagery

/// The pictures of one photograph on a page: the photograph itself, and a crop of each spine.
struct ScanPictures {
  /// An `img` element; nil if there is no picture.
  private(set) var photo: String?
  /// A paragraph that says why there is no picture.
  private(set) var reason = ""
  /// An `img` element for each outline, or an empty text. The whole list is empty if crops do not fit into the budget.
  private(set) var crops: [String] = []

  /// Creates the pictures.
  /// - Parameter bytes: the photograph's file, which is decoded once for all crops.
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

  /// Returns an empty text if the outline lies outside the photo. The row shows the text in any case.
  private static func crop(_ photo: UprightPhoto, _ outline: [Point], room: Int) -> String {
    let crop = try? SpineCrop(photo, outline: outline, longSide: 480, maximumBytes: room)
    // The alternative text is empty, because the row repeats the text of the crop.
    return crop.map { crop in
      let kind = crop.size.height > crop.size.width ? "tall" : nil
      return PhotoPicture.html(crop.jpeg, crop.size, alt: "", kind: kind)
    } ?? ""
  }
}
