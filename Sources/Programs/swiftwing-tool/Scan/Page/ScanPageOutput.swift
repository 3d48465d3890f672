import ArgumentParser
import BookScan
import Console
import System

/// The file of `--page`: checked before anything is read, written when all is.
struct ScanPageOutput {
  private let destination: Destination
  private var page: ScanPage

  /// - Parameter photos: the files that will be read.
  /// - Throws: `ValidationError` when there are too many for one page, `DestinationError` when the file is one of them or cannot be written.
  init(_ path: String, madeOf photos: [String]) throws {
    guard photos.count <= ScanPageBudget.photoLimit else {
      throw ValidationError(
        "--page shows at most \(ScanPageBudget.photoLimit) photographs, and \(photos.count) are named; name fewer, and make several pages"
      )
    }
    destination = try Destination(path, option: "--page", madeOf: photos)
    page = ScanPage(photos: photos.count)
  }

  /// - Throws: `PhotoFileError` when the photograph has gone since it was read.
  mutating func add(_ photo: String, _ findings: PhotoFindings) throws {
    page.add(photo, bytes: try PhotoScan.contents(photo), findings)
  }

  /// - Parameter reason: a sentence why a photograph is not in the page.
  mutating func fail(_ reason: String) { page.fail(reason) }

  mutating func add(_ worklist: ShelfWorklist) { page.worklist = WorklistPage.html(worklist) }

  /// - Throws: `PhotoFileError`.
  func write() throws {
    do { try DurableFile.replace(destination.path, with: Array(page.html.utf8), mode: 0o644) } catch {
      throw PhotoFileError(
        cannot: "write", file: destination.path, reason: error.reason.lowercased())
    }
    destination.tellReplaced()
  }
}
