import Capture
import Charts
import Display
import Foundation
import Imagery
import Replay
import System
import Testing

/// The path of the display to test on: `SWIFTWING_DISPLAY=/dev/dri/card0`, or `lab/run --display` in the lab.
private let card = ProcessInfo.processInfo.environment["SWIFTWING_DISPLAY"]

@Suite(.enabled(if: card != nil), .serialized) struct KernelDisplayTests {
  /// The tests run serially, because a card has only one DRM master.
  @Test func flipsAreStampedAndThePictureIsKept() throws {
    let path = try #require(card)
    let surface = try DisplaySurface(try DisplayScreen(path: path))
    defer { surface.close() }
    var flips: [Flip] = []
    for number in 0..<120 as Range<UInt32> {
      let picture = try #require(surface.makeBuffer())
      let rect = ChartRect(x: 0, y: 0, width: 64, height: 64)
      TimeCode.draw(number, in: rect, luma: picture.planes[0], pixelStride: 4)
      flips.append(try #require(surface.show(picture)))
      #expect(TimeCode.read(from: picture, corners: ChartCorners(rect)) == number)
    }
    for (earlier, later) in zip(flips, flips.dropFirst()) {
      #expect(later.vblankTime > earlier.vblankTime)
      #expect(later.sequence > earlier.sequence)
    }
    let record = surface.record
    print(
      "\(surface.mode): \(record.flips) flips, \(record.missed) missed, \(record.repeated) repeated,",
      "waited at most \(record.longestWait.milliseconds) ms")
  }

  @Test func aSizeThatItDoesNotHave() throws {
    let path = try #require(card)
    #expect(throws: DisplayError.self) {
      try DisplayScreen(path: path, size: PixelSize(width: 17, height: 11))
    }
  }

  /// Shows a camera of 60 pictures a second through a session, and reads the number of each picture from the memory on screen.
  @Test func aSessionIsShown() async throws {
    let path = try #require(card)
    let surface = try DisplaySurface(try DisplayScreen(path: path))
    let source = SimulatedSource(size: PixelSize(width: 320, height: 240), frameLimit: 300)
    let codes = Locked<[UInt32?]>([])
    let preview = PreviewOutput(surface: surface) { picture in
      let fill = AspectFill(
        source: picture.frame.format.size, orientation: picture.frame.orientation.preview,
        surface: picture.image.format.size)
      let corners = ChartCorners(source.timeCode).mapped { point in
        let place = fill.surfacePoint(device: (point.x, point.y))
        return ChartPoint(x: place.x, y: place.y)
      }
      let code = TimeCode.read(from: picture.image, corners: corners)
      codes.withLock { $0.append(code) }
    }
    let session = CaptureSession(source: source)
    await session.add(preview)
    try await session.start()
    for await state in await session.states() where state == .ended { break }
    await session.stop()
    surface.close()
    let shown = codes.withLock { $0 }
    #expect(!shown.isEmpty && shown.allSatisfy { $0 != nil })
    let numbers = shown.compactMap { $0 }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    let record = surface.record
    #expect(record.flips == shown.count)
    print(
      "a session of 300 frames: \(record.flips) flips, \(preview.totals.replaced) frames overtaken,",
      "\(record.missed) missed, \(record.repeated) repeated, waited at most \(record.longestWait.milliseconds) ms"
    )
  }
}
