package import Capture
import Charts
import Corpora
import Imagery
import System

/// The time code in the pictures of a lab camera that plays the corpus `turn`. It shows how the pixels were turned.
package struct LabChart: Sendable {
  private let rect: ChartRect?
  private let size: PixelSize

  package init(_ rig: Rig) {
    let manifest = (try? Corpus.find("turn", searching: rig.corpusRoots))?.manifest
    rect = manifest?.timeCode
    size = manifest?.size ?? PixelSize(width: 1, height: 1)
  }

  /// Returns the place of the code in a picture of another size. Nil if there is none.
  private func chart(in stored: PixelSize) -> TimeCodeChart? {
    guard let rect, stored.width * size.height == stored.height * size.width else { return nil }
    func scaled(_ value: Int) -> Int { value * stored.width / size.width }
    return TimeCodeChart(
      rect: ChartRect(
        x: scaled(rect.x), y: scaled(rect.y), width: scaled(rect.width), height: scaled(rect.height)),
      period: nil)
  }

  private func seen(_ image: PixelBuffer, _ stored: PixelSize, expected: Orientation) -> Orientation? {
    chart(in: stored)?.read(image, stored: stored, expected: expected)?.orientation
  }

  package func reading(_ picture: PresentedPicture) -> TurnedPicture {
    let (frame, applied) = (picture.frame, picture.frame.orientation.preview)
    return TurnedPicture(
      output: "preview", exposure: frame.exposureTime, applied: applied,
      seen: seen(picture.image, frame.format.size, expected: applied))
  }

  package func reading(_ picture: AnalysisPicture) -> TurnedPicture {
    let (frame, applied) = (picture.frame, picture.frame.orientation.capture)
    return TurnedPicture(
      output: "analysis", exposure: frame.exposureTime, applied: applied,
      seen: seen(picture.image, frame.format.size, expected: applied))
  }

  /// - Throws: if the photo cannot be read.
  package func reading(_ photo: CapturedPhoto) throws -> TurnedPicture {
    let (frame, applied) = (photo.frame, photo.frame.orientation.capture)
    let file = try ImageFile.read(photo.photo.bytes)
    let pixels = try ImageConverter(pool: PixelBufferPool()).convert(file.image, to: .i420, color: .jpeg)
    return TurnedPicture(
      output: "photo", exposure: frame.exposureTime, applied: applied,
      seen: seen(pixels, frame.format.size, expected: applied))
  }
}
