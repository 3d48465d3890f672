package import Capture
package import Charts
package import Imagery
package import System

/// A picture that reached the surface, with the data read from the surface itself.
package struct Presentation: Sendable {
  package let frame: FrameFacts
  package let renderTime: MonotonicTime
  package let presentedTime: MonotonicTime
  /// The number in the picture. Nil if it could not be read.
  package let code: UInt32?
  /// The orientation in which the code of the stored picture was found on the surface.
  package let seen: Orientation?

  package init(
    frame: FrameFacts, renderTime: MonotonicTime, presentedTime: MonotonicTime, code: UInt32?,
    seen: Orientation?
  ) {
    self.frame = frame
    self.renderTime = renderTime
    self.presentedTime = presentedTime
    self.code = code
    self.seen = seen
  }
}

extension Presentation {
  /// Returns a made-up picture, for self-tests.
  /// - Parameter arrival: nil for the time of presentation.
  package static func example(
    sequence: UInt32 = 0, exposure: MonotonicTime, arrival: MonotonicTime? = nil, presented: MonotonicTime,
    code: UInt32? = nil, seen: Orientation? = nil, orientation: FrameOrientation = .upright
  ) -> Presentation {
    let format = ImageFormat(
      pixelFormat: .nv12, size: PixelSize(width: 64, height: 64),
      color: ColorDescription(matrix: .bt709, range: .limited))
    let frame = Frame(
      image: PixelBuffer(format: format, planes: [], lender: nil), sequence: sequence, exposureTime: exposure,
      exposureEdge: .startOfExposure, arrivalTime: arrival ?? presented, orientation: orientation)
    return Presentation(
      frame: FrameFacts(frame), renderTime: presented, presentedTime: presented, code: code, seen: seen)
  }
}

/// The place of the time code in the stored picture.
package struct TimeCodeChart: Sendable {
  let rect: ChartRect
  /// Number of frames after which codes start again at 0, in a looped recording. Nil if the codes do not start again.
  let period: UInt32?

  package init(rect: ChartRect, period: UInt32?) {
    self.rect = rect
    self.period = period
  }

  /// Reads the code on a surface, in any of the eight orientations, the expected one first.
  package func read(
    _ surface: PixelBuffer, stored: PixelSize, expected: Orientation
  ) -> (code: UInt32, orientation: Orientation)? {
    for orientation in [expected] + Orientation.allCases.filter({ $0 != expected }) {
      let geometry = AspectFill(source: stored, orientation: orientation, surface: surface.format.size)
      let corners = ChartCorners(rect).mapped { point in
        let place = geometry.surfacePoint(device: (point.x, point.y))
        return ChartPoint(x: place.x, y: place.y)
      }
      if let code = TimeCode.read(from: surface, corners: corners) { return (code, orientation) }
    }
    return nil
  }
}

/// The presented pictures, in order.
package final class PresentationLog: Sendable {
  private let entries = Locked<[Presentation]>([])
  private let chart: TimeCodeChart?

  init(chart: TimeCodeChart?) {
    self.chart = chart
    entries.withLock { $0.reserveCapacity(4096) }
  }

  /// Called after the picture was presented, so that reading it does not add to the latency.
  func note(_ picture: PresentedPicture) {
    let reading = chart?.read(
      picture.image, stored: picture.frame.format.size, expected: picture.frame.orientation.preview)
    let entry = Presentation(
      frame: picture.frame, renderTime: picture.renderTime, presentedTime: picture.presentedTime,
      code: reading?.code, seen: reading?.orientation)
    entries.withLock { $0.append(entry) }
  }

  package var all: [Presentation] { entries.withLock { $0 } }
  package var count: Int { entries.withLock { $0.count } }
}
