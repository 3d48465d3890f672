import Capture
import Glibc
import Imagery
import System

@testable import Replay

/// A simulated camera that a test runs without a session. Its frames come as fast as they are requested.
final class SensorFixture {
  let source: SensorSource
  let log = SensorLog()
  private let clock = StandingClock()
  private let camera: SensorCamera
  private let wake: WakeSignal
  let interval: Double

  init(_ source: SensorSource) throws {
    var source = source
    source.log = log
    self.source = source
    camera = SensorCamera(source: source, clock: clock)
    wake = try WakeSignal()
    _ = try camera.open()
    let format = try camera.prepare(camera.open().formats[0])
    interval = Double(format.frameInterval.duration.nanoseconds) / 1e9
    try camera.start()
  }

  var now: MonotonicTime { clock.now() }

  /// Returns the next frame, and skips other events before it.
  @discardableResult
  func frame() throws -> CapturedImage {
    while true {
      if case .frame(let image) = try camera.next(until: .distantFuture, wake: wake) { return image }
    }
  }

  /// Returns the camera's next event.
  func event() throws -> CameraEvent { try camera.next(until: .distantFuture, wake: wake) }

  @discardableResult
  func frames(_ count: Int) throws -> [CapturedImage] {
    var images: [CapturedImage] = []
    for _ in 0..<count { images.append(try frame()) }
    return images
  }

  @discardableResult
  func set(_ values: (CameraControl, CameraControlValue)...) -> [CameraControlResult] {
    camera.set(values.map { (control: $0.0, value: $0.1) })
  }

  func value(_ control: CameraControl) -> CameraControlValue? { camera.values(of: [control])[control] }
  func number(_ control: CameraControl) -> Double { value(control)?.number ?? .nan }
  func capability(_ control: CameraControl) -> CameraControlCapability? {
    camera.capabilities().first { $0.control == control }
  }

  /// Stops the camera, sets these values, and starts it again.
  func restart(setting values: (CameraControl, CameraControlValue)...) throws {
    camera.stop()
    if !values.isEmpty { _ = camera.set(values.map { (control: $0.0, value: $0.1) }) }
    try camera.start()
  }
}

/// A clock that jumps to the deadline of each wait.
final class StandingClock: CaptureClock {
  private let time = Locked(MonotonicTime(nanoseconds: 1_000_000_000))

  func now() -> MonotonicTime { time.withLock { $0 } }

  func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    time.withLock { $0 = max($0, deadline) }
    return false
  }

  /// Schedules an action that never runs, because cameras schedule none.
  func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    VirtualClock().schedule(at: time, action)
  }

  func threadBegan() {}
  func threadEnded() {}
  func workBegan() {}
  func workEnded() {}
}

/// Measurements in the picture of a simulated sensor, by the formulas of BT.709.
struct SensorReading {
  let image: PixelBuffer

  private var size: PixelSize { image.format.size }

  /// Returns the luma codes of an area, which is given in fractions of width and height.
  func luma(x: ClosedRange<Double>, y: ClosedRange<Double>) -> [Double] {
    let plane = image.planes[0]
    let columns = Int(x.lowerBound * Double(size.width))..<Int(x.upperBound * Double(size.width))
    let rows = Int(y.lowerBound * Double(size.height))..<Int(y.upperBound * Double(size.height))
    return rows.flatMap { row in
      columns.map { Double(plane.base.load(fromByteOffset: row * plane.bytesPerRow + $0, as: UInt8.self)) }
    }
  }

  /// Returns the linear level of a uniformly grey area.
  func level(x: ClosedRange<Double>, y: ClosedRange<Double>) -> Double {
    let codes = luma(x: x, y: y)
    let linear = codes.map { BT709Transfer.linear(max(0, ($0 - 16) / 219)) }
    return linear.reduce(0, +) / Double(max(linear.count, 1))
  }

  /// The linear level of the grey card, in an area that shows nothing else.
  var card: Double { level(x: 0.3...0.9, y: 0.2...0.35) }

  /// The linear ratio of red to blue of the grey card.
  var redOverBlue: Double {
    let plane = image.planes[1]
    let (rows, columns) = (size.height / 10..<size.height * 3 / 20, size.width / 4..<size.width * 9 / 20)
    var (cb, cr, count) = (0.0, 0.0, 0.0)
    for row in rows {
      for column in columns {
        let place = row * plane.bytesPerRow + 2 * column
        cb += Double(plane.base.load(fromByteOffset: place, as: UInt8.self)) - 128
        cr += Double(plane.base.load(fromByteOffset: place + 1, as: UInt8.self)) - 128
        count += 1
      }
    }
    let codes = luma(x: 0.5...0.9, y: 0.2...0.3)
    let bright = (codes.reduce(0, +) / Double(codes.count) - 16) / 219
    let red = BT709Transfer.linear(max(0, bright + 1.5748 * cr / count / 224))
    let blue = BT709Transfer.linear(max(0, bright + 1.8556 * cb / count / 224))
    return red / blue
  }

  /// Returns the greatest difference between neighbouring pixels of the bars within `x`, in codes.
  func sharpness(x: ClosedRange<Double>) -> Double {
    let columns = Int(x.lowerBound * Double(size.width))..<Int(x.upperBound * Double(size.width))
    let plane = image.planes[0]
    let rows = size.height * 45 / 100..<size.height * 55 / 100
    let means = columns.map { column in
      rows.reduce(0.0) {
        $0 + Double(plane.base.load(fromByteOffset: $1 * plane.bytesPerRow + column, as: UInt8.self))
      } / Double(rows.count)
    }
    return zip(means, means.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }
}

extension BT709Transfer {
  /// The inverse of `encoded(_:)`.
  static func linear(_ code: Double) -> Double {
    code < 0.081 ? code / 4.5 : pow((code + 0.099) / 1.099, 1 / 0.45)
  }
}
