import Capture
import Charts
import Imagery
import System

/// The camera of a `SensorSource`.
final class SensorCamera: OperableCamera {
  private let source: SensorSource
  private let clock: any CaptureClock
  private let pool = PixelBufferPool()
  private let painter: SensorPicture
  private var device: SensorDevice
  private var interval: FrameInterval
  private var upcoming: (sequence: UInt32, start: MonotonicTime)?
  private var lastAttitude: Double?

  init(source: SensorSource, clock: any CaptureClock) {
    self.source = source
    self.clock = clock
    painter = SensorPicture(size: source.size, model: source.model)
    device = SensorDevice(source.model)
    interval = source.rates[0]
  }

  private func format(_ interval: FrameInterval) -> CameraFormat {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: .nv12, size: source.size, color: ColorDescription(matrix: .bt709, range: .limited)),
      frameInterval: interval)
  }

  func open() throws(CameraError) -> CameraDescription {
    CameraDescription(
      kind: .simulated, name: source.name, driver: "simulated", bus: source.specification,
      formats: source.rates.map(format), mount: source.mount)
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat {
    interval = source.rates.first { $0 == format.frameInterval } ?? source.rates[0]
    return self.format(interval)
  }

  private var seconds: Double { Double(interval.duration.nanoseconds) / 1e9 }

  func start() throws(CameraError) {
    let sequence = upcoming?.sequence ?? 0
    upcoming = (sequence, clock.now())
    device.start(seconds)
  }

  func stop() { device.stop() }
  func close() { device.stop() }
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let (sequence, start) = upcoming else { return .ended }
    if let limit = source.frameLimit, sequence >= limit { return .ended }
    let attitude = source.scene.attitude
    if attitude != lastAttitude {
      lastAttitude = attitude
      return .attitude(degrees: attitude, time: start)
    }
    let changes = device.takeChanges()
    if source.model.tellsChanges, !changes.isEmpty { return .controlsChanged(changes) }
    // The last row is read out this much later than the first.
    let due = start + interval.duration + .nanoseconds(Int64(source.model.readout * 1e9))
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    let image = try expose(sequence, start)
    upcoming = (sequence &+ 1, start + interval.duration)
    device.begin(sequence &+ 1, seconds)
    return .frame(image)
  }

  private func expose(_ sequence: UInt32, _ start: MonotonicTime) throws(CameraError) -> CapturedImage {
    let (exposure, scene) = (device.exposure, source.scene.snapshot)
    let picture: PixelBuffer
    do throws(ImageError) { picture = try pool.makeBuffer(format(interval).image) } catch {
      throw .invalidSource(source.specification, reason: "\(error)")
    }
    var settings = device.settings
    let level = painter.draw(exposure, of: scene, start: start, sequence: sequence, into: picture)
    if source.drawsTimeCode {
      TimeCode.draw(sequence, in: source.timeCode, luma: picture.planes[0], pixelStride: 1)
    }
    device.note(
      SensorAutomatics.Reading(
        level: level, settings: exposure, temperature: scene.temperature, tint: scene.tint,
        vergence: vergence(scene)))
    settings.isSettled = device.isSettled
    note(sequence, start, exposure: exposure, level: level)
    return CapturedImage(
      image: picture, sequence: sequence, exposureTime: start, exposureEdge: .startOfExposure,
      settings: source.model.tellsSettings ? settings : nil)
  }

  /// Returns the vergence of the focus point, in dioptres.
  private func vergence(_ scene: SensorScene.State) -> Double {
    guard case .point(let x, _) = device.registers.values[.focusPoint] else { return 0 }
    return 1 / (x < 0.5 ? scene.distances.left : scene.distances.right)
  }

  private func note(
    _ sequence: UInt32, _ start: MonotonicTime, exposure: SensorExposure, level: Double
  ) {
    source.log?.note(
      SensorLog.Exposed(
        sequence: sequence, start: start, duration: exposure.duration, iso: exposure.iso,
        temperature: exposure.temperature, tint: exposure.tint, lensPosition: exposure.lensPosition,
        zoom: exposure.zoom, torch: exposure.torch, level: level, offset: device.automatics.offset))
  }

  // MARK: OperableCamera

  func capabilities() -> [CameraControlCapability] { device.capabilities(seconds) }

  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
    var values: [CameraControl: CameraControlValue] = [:]
    for control in controls { values[control] = device.value(of: control) }
    return values
  }

  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    source.log?.note(values, at: clock.now())
    return device.set(values, seconds)
  }

  var framesUntilSettled: Int { source.model.delay + 1 }
}

extension SensorDevice {
  /// The settings that the camera reports for the frame being exposed.
  var settings: FrameSettings {
    var settings = FrameSettings()
    settings.exposureDuration = exposure.duration
    settings.iso = exposure.iso
    settings.exposureBias = registers.number(.exposureBias)
    settings.whiteBalanceTemperature = exposure.temperature
    settings.lensPosition = exposure.lensPosition
    settings.zoom = exposure.zoom
    return settings
  }
}
