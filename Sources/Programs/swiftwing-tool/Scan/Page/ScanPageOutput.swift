import ArgumentParser
import BookScan
import Console
import ScanStation
import System

/// The file of `--page`. It is checked before any photo is read, and written after all of them.
struct ScanPageOutput {
  private let destination: Destination
  private var page: ScanPage

  /// Checks the file.
  /// - Parameters:
  ///   - photos: the photographs that will be read.
  ///   - others: other files that will be read.
  /// - Throws: `ValidationError` if there are too many photographs for one page, `DestinationError` if the file will be read or
  ///   cannot be written.
  init(_ path: String, madeOf photos: [String], _ others: [String] = []) throws {
    guard photos.count <= ScanPageBudget.photoLimit else {
      throw ValidationError(
        "--page shows at most \(ScanPageBudget.photoLimit) photographs, and \(photos.count) are named; name fewer, and make several pages"
      )
    }
    destination = try Destination(path, option: "--page", madeOf: photos + others)
    page = ScanPage(photos: photos.count)
  }

  /// Adds a photograph.
  /// - Throws: `PhotoFileError` if the photograph can no longer be read.
  mutating func add(_ photo: String, _ findings: PhotoFindings) throws {
    page.add(photo, bytes: try Photograph.contents(photo), findings)
  }

  /// Adds a photograph that could not be read.
  /// - Parameter reason: a sentence that says why the photograph is not on the page.
  mutating func fail(_ reason: String) { page.fail(reason) }

  mutating func add(_ worklist: ShelfWorklist) { page.worklist = WorklistPage.html(worklist) }

  /// Writes the page.
  /// - Throws: `PhotoFileError`.
  func write() throws {
    do { try DurableFile.replace(destination.path, with: Array(page.html.utf8), mode: 0o644) } catch {
      throw PhotoFileError(writing: destination.path, code: error.code)
    }
    destination.tellReplaced()
  }
}
