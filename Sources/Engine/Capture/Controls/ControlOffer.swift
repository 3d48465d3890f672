/// The controls that a session offers: those of the camera, those that the engine implements, and the missing ones with reasons.
enum ControlOffer {
  /// The largest zoom by cropping.
  static let mostDigitalZoom = 4.0

  /// - Parameters:
  ///   - given: the camera's capabilities; empty if it cannot be operated.
  ///   - isOperable: whether the camera can be operated.
  ///   - interval: the time between two frames, in seconds.
  static func complete(
    _ given: [CameraControlCapability], isOperable: Bool, interval: Double
  ) -> [CameraControlCapability] {
    var offer = Offer(given: given, isOperable: isOperable, interval: interval)
    offer.addZoom()
    offer.addExposureBias()
    offer.addShutterAngle()
    offer.addLocks()
    offer.addAbsences()
    return offer.all
  }

  private struct Offer {
    var all: [CameraControlCapability]
    let isOperable: Bool
    let interval: Double

    init(given: [CameraControlCapability], isOperable: Bool, interval: Double) {
      all = given
      self.isOperable = isOperable
      self.interval = interval
    }

    func present(_ control: CameraControl) -> CameraControlCapability? {
      all.first { $0.control == control && $0.isPresent }
    }

    /// Replaces the camera's capability of the same control.
    mutating func replace(_ capability: CameraControlCapability) {
      all.removeAll { $0.control == capability.control }
      all.append(capability)
    }

    /// Extends the range of the device's zoom by cropping.
    mutating func addZoom() {
      guard var zoom = present(.zoom) else {
        var crop = CameraControlCapability(.zoom, 1...ControlOffer.mostDigitalZoom, unit: .factor)
        crop.origin = .software
        crop.defaultValue = .number(1)
        return replace(crop)
      }
      let most = zoom.values?.last ?? zoom.range?.upperBound ?? 1
      let least = min(1, zoom.values?.first ?? zoom.range?.lowerBound ?? 1)
      // Cropping fills in between the device's steps.
      (zoom.range, zoom.step, zoom.values) = (least...max(most, ControlOffer.mostDigitalZoom), nil, nil)
      replace(zoom)
    }

    mutating func addExposureBias() {
      guard present(.exposureBias) == nil else { return }
      var bias = CameraControlCapability(.exposureBias, ExposureBiasDial.usual, step: 0.1, unit: .ev)
      bias.origin = .software
      bias.defaultValue = .number(0)
      replace(bias)
    }

    mutating func addShutterAngle() {
      guard let duration = present(.exposureDuration), duration.isSettable, let times = duration.range,
        let least = ShutterAngle(duration: times.lowerBound, frameInterval: interval),
        let most = ShutterAngle(duration: times.upperBound, frameInterval: interval)
      else { return }
      var angle = CameraControlCapability(.shutterAngle, least.degrees...most.degrees, unit: .degrees)
      angle.origin = .mapped(CameraControl.exposureDuration.rawValue)
      replace(angle)
    }

    mutating func addLocks() {
      if present(.exposureLock) == nil, isManual(.exposureMode) {
        var lock = CameraControlCapability(.exposureLock)
        lock.origin = .mapped(CameraControl.exposureMode.rawValue)
        replace(lock)
      }
      if present(.whiteBalanceLock) == nil, isManual(.whiteBalanceMode) {
        var lock = CameraControlCapability(.whiteBalanceLock)
        lock.origin = .mapped(CameraControl.whiteBalanceMode.rawValue)
        replace(lock)
      }
    }

    private func isManual(_ mode: CameraControl) -> Bool {
      present(mode).map { $0.isSettable && $0.choices?.contains("manual") ?? false } ?? false
    }

    /// Adds the missing controls that one might expect, with the reason.
    mutating func addAbsences() {
      let expected: [CameraControl] = [
        .exposureMode, .exposureDuration, .shutterAngle, .iso, .exposureLock, .whiteBalanceMode,
        .whiteBalanceTemperature, .tint, .whiteBalanceLock, .focusMode, .lensPosition, .focusPoint, .torch,
        .stabilization, .wideDynamicRange,
      ]
      let reason =
        isOperable ? "the device has no control for it" : "this camera has no controls: it plays pictures"
      for control in expected where !all.contains(where: { $0.control == control }) {
        all.append(CameraControlCapability(control, absence: reason))
      }
    }
  }
}
