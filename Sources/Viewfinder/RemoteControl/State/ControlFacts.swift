import Capture
import Imagery
import JSON

/// Exposure, colour, focus, zoom and light in the state document.
extension ViewfinderFacts {
  private func range(_ control: CameraControl) -> JSONValue { .range(controls.capability(control)?.range) }
  private func number(_ control: CameraControl) -> Double? { controls.values[control]?.number }

  /// Returns the member for a control with a single value: its value and range, or the reason why the camera lacks it.
  func single(_ control: CameraControl, _ value: JSONValue) -> JSONValue {
    absence(control).map { .unsupported($0) } ?? .object(["value": value, "range": range(control)])
  }

  private var exposureMode: String {
    if controls.shutterPriority != nil { return "shutterPriority" }
    if controls.isExposureLocked { return "locked" }
    return controls.values[.exposureMode]?.choice == "manual" ? "manual" : "auto"
  }

  var exposureValue: JSONValue {
    let interval = format.map { 1 / $0.frameInterval.framesPerSecond }
    let durations = controls.capability(.exposureDuration)?.range
    let angles = interval.flatMap { interval in
      durations.map { ShutterAngle.available($0, frameInterval: interval) }
    }
    let duration = number(.exposureDuration)
    let angle = duration.flatMap { duration in
      interval.flatMap { ShutterAngle(duration: duration, frameInterval: $0)?.degrees }
    }
    return .object([
      "mode": .string(exposureMode), "isLocked": .bool(controls.isExposureLocked),
      "shutterPriority": .bool(controls.shutterPriority != nil), "iso": .number(known: number(.iso)),
      "isoRange": range(.iso), "duration": .number(known: duration),
      "durationRange": range(.exposureDuration),
      "angle": .number(known: angle),
      "angles": .array(
        (angles ?? []).map { degrees in
          let label = ShutterAngle(degrees: degrees).label(frameInterval: interval ?? 0)
          return .object(["angle": .number(known: degrees), "label": .string(label)])
        }),
      "bias": biasValue,
    ])
  }

  private var biasValue: JSONValue {
    let capability = controls.capability(.exposureBias)
    let dial = ExposureBiasDial(capability)
    let value = number(.exposureBias) ?? controls.digitalExposureBias
    let step = dial.ticks.count > 1 ? dial.ticks[1] - dial.ticks[0] : 0.1
    let reason = refusal(of: .setExposureBias)
    return .object([
      "value": .number(known: value), "min": .number(known: dial.ticks.first),
      "max": .number(known: dial.ticks.last),
      "step": .number(known: step), "enabled": .bool(reason == nil), "reason": .text(reason),
    ])
  }

  var whiteBalanceValue: JSONValue {
    let isManual = (controls.values[.whiteBalanceMode]?.choice ?? "auto") != "auto"
    let value = JSONValue.object([
      "mode": .string(isManual ? "manual" : "auto"),
      "temperature": .number(known: number(.whiteBalanceTemperature)),
      "range": range(.whiteBalanceTemperature), "tint": .number(known: number(.tint)),
      "tintRange": range(.tint),
    ])
    guard let reason = absence(.whiteBalanceTemperature) else { return value }
    return value.merging(["unsupported": .text(reason)])
  }

  var focusValue: JSONValue {
    var point = JSONValue.null
    if case .point(let x, let y)? = controls.focusPoint, let size = format?.image.size {
      let upright = angles.preview.applied(to: size)
      let shown = UprightPoint.shown(x: x, y: y, source: size, angles.preview, upright)
      point = .array([.number(known: shown.x), .number(known: shown.y)])
    }
    let isHeld = controls.focus != .continuous && controls.focus != .unsupported
    return .object([
      "state": .string(controls.focus.rawValue), "point": point, "marker": .bool(isHeld && point != .null),
    ])
  }

  var zoomValue: JSONValue {
    let range = controls.capability(.zoom)?.range ?? 1...4
    return .object([
      "factor": .number(known: controls.zoom), "min": .number(known: range.lowerBound),
      "max": .number(known: range.upperBound), "target": .number(known: controls.zoomTarget),
      "lensFactors": .array(lenses.map { .number(known: $0.factor) }),
    ])
  }
}

/// Converts points between the upright picture without zoom, 0…1, and the stored picture.
enum UprightPoint {
  private static func geometry(_ source: PixelSize, _ orientation: Orientation) -> PreviewGeometry {
    PreviewGeometry(
      source: source, orientation: orientation, surface: orientation.applied(to: source), gravity: .fit)
  }

  /// The position, in the stored picture, of a point of the upright picture, clamped to the stored picture.
  static func stored(x: Double, y: Double, source: PixelSize, _ orientation: Orientation) -> (
    x: Double, y: Double
  ) {
    let upright = orientation.applied(to: source)
    return geometry(source, orientation).devicePoint(
      x: x * Double(upright.width), y: y * Double(upright.height))
  }

  static func shown(
    x: Double, y: Double, source: PixelSize, _ orientation: Orientation, _ upright: PixelSize
  ) -> (x: Double, y: Double) {
    let point = geometry(source, orientation).surfacePoint(x: x, y: y)
    return (point.x / Double(max(upright.width, 1)), point.y / Double(max(upright.height, 1)))
  }
}
