import Imagery

/// The reflectance along a row, magnified and blurred as by the lens.
struct SensorColumns {
  private let size: PixelSize
  private let zoom: Double
  /// Picture widths per second.
  private let panning: Double
  /// Diameters of the blur in the left and the right half, in pixels of the picture.
  private let blur: (left: Double, right: Double)

  init(size: PixelSize, model: SensorModel, exposure: SensorExposure, scene: SensorScene.State) {
    self.size = size
    zoom = exposure.zoom
    panning = scene.panning
    func diameter(_ metres: Double) -> Double {
      Self.blur(of: 1 / metres, exposure: exposure, model: model, width: size.width)
    }
    // Motion blur: the distance that the scene moves during the exposure.
    let smear = abs(panning) * Double(size.width) * zoom * exposure.duration
    blur = (
      max(diameter(scene.distances.left), smear, 1), max(diameter(scene.distances.right), smear, 1)
    )
  }

  /// Returns the circle of confusion in pixels: f²/N times the difference in dioptres, for a thin lens.
  /// - Parameter vergence: the reciprocal of the subject's distance, in dioptres.
  static func blur(of vergence: Double, exposure: SensorExposure, model: SensorModel, width: Int) -> Double {
    let focused = model.nearest * (1 - exposure.lensPosition)
    let length = model.focalLength * exposure.zoom
    let millimetres = length * length / model.fNumber * abs(focused - vergence) / 1000
    return millimetres / model.sensorWidth * Double(width)
  }

  /// - Parameter seconds: time since the first row began.
  func reflectances(row: Int, after seconds: Double) -> [Float] {
    let height = Double(size.height)
    let v = (Double(row) + 1 - height / 2) / zoom / height
    if v > 0.375 { return wedge() }
    if abs(v) < 0.125 { return bars(after: seconds) }
    return [Float](repeating: Float(PhotographicExposure.greyCard), count: size.width)
  }

  /// Returns the place of a column in the world, in picture widths from the centre at zoom 1.
  private func place(_ column: Int) -> Double {
    (Double(column) + 0.5 - Double(size.width) / 2) / zoom / Double(size.width)
  }

  private func wedge() -> [Float] {
    let greys = SensorPicture.greys
    return (0..<size.width).map { column in
      let index = Int((place(column) + 0.5) * Double(greys.count))
      return Float(greys[min(max(index, 0), greys.count - 1)])
    }
  }

  private func bars(after seconds: Double) -> [Float] {
    let (dark, light) = SensorPicture.bars
    return (0..<size.width).map { column in
      let u = place(column)
      guard abs(u) < 0.25 else { return Float(PhotographicExposure.greyCard) }
      let width = (u < 0 ? blur.left : blur.right) / zoom / Double(size.width)
      let middle = u + panning * seconds
      // The mean of a square wave over the blur is a difference of its integral.
      let mean = (Self.integral(middle + width / 2) - Self.integral(middle - width / 2)) / width
      return Float((dark + light) / 2 + (light - dark) / 2 * mean)
    }
  }

  /// Returns the integral of a square wave that is +1 over the first half of each period and −1 over the second: a triangle wave.
  private static func integral(_ u: Double) -> Double {
    let period = 1 / SensorPicture.periods
    let phase = u / period - (u / period).rounded(.down)
    return period * (phase < 0.5 ? phase : 1 - phase)
  }
}
