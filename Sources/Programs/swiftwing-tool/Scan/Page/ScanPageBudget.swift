/// How large the pictures of a page may be, so that the whole page stays below 10 MB.
struct ScanPageBudget {
  /// Most photographs in one page. Of more, the pictures would be too coarse to read.
  static let photoLimit = 50
  /// Of all pictures before base64, which makes four bytes of three; the rest is for words.
  private static let total = 6_800_000

  /// Bytes of all pictures of a photograph.
  private let share: Int

  /// - Parameter photos: of the page.
  init(photos: Int) { share = Self.total / max(1, photos) }

  /// Of the copy of the photograph itself, bytes.
  var photo: Int { min(900_000, share * 2 / 5) }

  /// Of each crop, bytes.
  /// - Parameter spines: of the photograph.
  func crop(spines: Int) -> Int { min(24_000, share * 3 / 5 / max(1, spines)) }

  /// Crops of fewer bytes show nothing, and are left out.
  static let leastCrop = 1_000
}
