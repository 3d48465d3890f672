import Capture
import Imagery
import System

/// The camera of a `DockSource`.
final class DockCamera: OperableCamera {
  private let source: DockSource
  private let clock: any CaptureClock
  private let pool = PixelBufferPool()
  private var mechanics: DockMechanics
  private var upcoming: (sequence: UInt32, start: MonotonicTime)?
  private var began: MonotonicTime?
  private var lastAttitude: Double?
  private var zoom = 1.0
  /// The values set last.
  private var told: [CameraControl: Double] = [:]

  init(source: DockSource, clock: any CaptureClock) {
    self.source = source
    self.clock = clock
    mechanics = DockMechanics(source.model)
  }

  private var format: CameraFormat {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: .nv12, size: source.size, color: ColorDescription(matrix: .bt709, range: .limited)),
      frameInterval: source.frameInterval)
  }

  func open() throws(CameraError) -> CameraDescription {
    CameraDescription(
      kind: .simulated, name: "Simulated dock", driver: "simulated", bus: source.specification,
      formats: [format], mount: SensorMount())
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { self.format }

  func start() throws(CameraError) {
    let now = clock.now()
    began = began ?? now
    upcoming = (upcoming?.sequence ?? 0, now)
  }

  func stop() { halt() }
  func close() { halt() }

  /// Stops the motors, because nobody could stop them after the end of the stream.
  private func halt() {
    guard source.model.kind == .speed else { return }
    mechanics.order(pan: 0, tilt: 0, at: clock.now().nanoseconds)
  }

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let (sequence, start) = upcoming else { return .ended }
    if let limit = source.frameLimit, sequence >= limit { return .ended }
    let attitude = source.scene.attitude
    if attitude != lastAttitude {
      lastAttitude = attitude
      return .attitude(degrees: attitude, time: start)
    }
    let due = start + source.frameInterval.duration
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    upcoming = (sequence &+ 1, due)
    return .frame(try expose(sequence, start))
  }

  private func expose(_ sequence: UInt32, _ start: MonotonicTime) throws(CameraError) -> CapturedImage {
    let picture: PixelBuffer
    do throws(ImageError) { picture = try pool.makeBuffer(format.image) } catch {
      throw .invalidSource(source.specification, reason: "\(error)")
    }
    mechanics.advance(to: start.nanoseconds)
    let (pan, tilt) = mechanics.places
    let painter = DockPainter(size: source.size, fieldOfView: source.model.fieldOfView, zoom: zoom)
    painter.drawWorld(pan: pan, tilt: tilt, into: picture.planes[0])
    let seconds = Double((start - (began ?? start)).nanoseconds) / 1e9
    let places = source.scene.subjects.map { subject -> DockLog.Place? in
      guard !subject.hidden.contains(where: { $0.contains(seconds) }) else { return nil }
      let direction = subject.path(seconds)
      let place = painter.place(pan: direction.pan - pan, tilt: direction.tilt - tilt, width: subject.size)
      painter.draw(place, look: subject.look, into: picture.planes[0])
      return place
    }
    let chroma = picture.planes[1]
    UnsafeMutableRawBufferPointer(start: chroma.base, count: chroma.byteCount).initializeMemory(
      as: UInt8.self, repeating: 128)
    let speeds = mechanics.speeds
    source.log?.note(
      DockLog.Exposed(
        sequence: sequence, start: start, pan: pan, tilt: tilt, panSpeed: speeds.pan, tiltSpeed: speeds.tilt,
        subjects: places))
    var settings = FrameSettings()
    settings.zoom = zoom
    return CapturedImage(
      image: picture, sequence: sequence, exposureTime: start, exposureEdge: .startOfExposure,
      settings: settings)
  }

  // MARK: OperableCamera

  private var degree: Double { .pi / 180 }

  func capabilities() -> [CameraControlCapability] {
    let (pan, tilt) = (source.model.farthestPan / degree, source.model.farthestTilt / degree)
    let fastest = source.model.fastest / degree
    var zoom = CameraControlCapability(.zoom, 1...3, unit: .factor)
    zoom.defaultValue = .number(1)
    let motors: [CameraControlCapability] =
      switch source.model.kind {
      case .absolute:
        [
          CameraControlCapability(.pan, -pan...pan, unit: .degrees),
          CameraControlCapability(.tilt, -tilt...tilt, unit: .degrees),
        ]
      case .speed:
        [
          CameraControlCapability(.panSpeed, -fastest...fastest, unit: .degreesPerSecond),
          CameraControlCapability(.tiltSpeed, -fastest...fastest, unit: .degreesPerSecond),
        ]
      }
    return motors + [zoom] + battery
  }

  private var battery: [CameraControlCapability] {
    guard source.model.battery != nil else { return [] }
    var level = CameraControlCapability(.batteryLevel, 0...1)
    var charging = CameraControlCapability(.batteryCharging)
    level.isReadOnly = true
    charging.isReadOnly = true
    return [level, charging]
  }

  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
    var values: [CameraControl: CameraControlValue] = [:]
    for control in controls { values[control] = value(of: control) }
    return values
  }

  private func value(of control: CameraControl) -> CameraControlValue? {
    let places = mechanics.places
    switch control {
    case .pan: return .number(source.model.tellsPlace ? places.pan / degree : told[.pan] ?? 0)
    case .tilt: return .number(source.model.tellsPlace ? places.tilt / degree : told[.tilt] ?? 0)
    case .panSpeed, .tiltSpeed: return .number(told[control] ?? 0)
    case .zoom: return .number(zoom)
    case .batteryLevel: return source.model.battery.map { .number($0) }
    case .batteryCharging: return source.model.battery.map { _ in .flag(source.model.isCharging) }
    default: return nil
    }
  }

  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    let known = Dictionary(uniqueKeysWithValues: capabilities().map { ($0.control, $0) })
    let now = clock.now()
    source.log?.note(DockLog.Request(time: now, values: Dictionary(values.map { ($0.0, $0.1) }) { $1 }))
    var results: [CameraControlResult] = []
    var wanted: [CameraControl: Double] = [:]
    for (control, value) in values {
      guard let able = known[control], able.isSettable, let range = able.range, let number = value.number
      else {
        results.append(
          CameraControlResult(
            control, wanted: value, refusal: "\(control) was not set to \(value): the dock has no such value")
        )
        continue
      }
      let fitted = min(max(number, range.lowerBound), range.upperBound)
      told[control] = fitted
      wanted[control] = fitted
      if control == .zoom { zoom = fitted }
      results.append(
        CameraControlResult(
          control, wanted: value, took: .number(fitted), note: fitted == number ? .exact : .clamped))
    }
    mechanics.advance(to: now.nanoseconds)
    let isPlace = source.model.kind == .absolute
    mechanics.order(
      pan: wanted[isPlace ? .pan : .panSpeed].map { $0 * degree },
      tilt: wanted[isPlace ? .tilt : .tiltSpeed].map { $0 * degree }, at: now.nanoseconds)
    return results
  }

  var framesUntilSettled: Int { 1 }
}
