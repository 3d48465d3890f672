/// The sizes of a page's pictures, so that the whole page stays below 10 MB.
struct ScanPageBudget {
  /// The greatest number of photographs on one page. With more, the pictures would be too coarse to read.
  static let photoLimit = 50
  /// The maximum size of all pictures, in bytes before base64, which makes four bytes of three. The rest of the page is text.
  private static let total = 6_800_000

  /// The maximum size of all pictures of one photograph, in bytes.
  private let share: Int

  /// Creates the budget.
  /// - Parameter photos: the number of photographs on the page.
  init(photos: Int) { share = Self.total / max(1, photos) }

  /// The maximum size of the copy of the photograph, in bytes.
  var photo: Int { min(900_000, share * 2 / 5) }

  /// Returns the maximum size of each crop, in bytes.
  /// - Parameter spines: the number of spines in the photograph.
  func crop(spines: Int) -> Int { min(24_000, share * 3 / 5 / max(1, spines)) }

  /// The least maximum size of a crop, in bytes. Smaller crops show nothing, and are left out.
  static let leastCrop = 1_000
}
