import Glibc
import Imagery
import System

/// The painter of a simulated dock's view: a part of a world of grey clouds, with subjects of coarse blocks in front. The lens is rectilinear along
/// both axes.
struct DockPainter {
  /// A picture of all directions, with five pixels for each degree.
  private struct World {
    static let scale = 5 * 180 / Double.pi
    static let (width, height) = (1800, 720)
    let codes: [UInt8]

    /// Sums random levels on three grids, smoothly interpolated.
    init() {
      var sum = [Float](repeating: 110, count: Self.width * Self.height)
      for (cell, depth) in [(120, Float(30)), (36, 22), (12, 14)] {
        var random = SplitMix64(seed: UInt64(cell))
        let (columns, rows) = (Self.width / cell, Self.height / cell)
        let grid = (0..<columns * (rows + 1)).map { _ in Float(random.next() % 1024) / 512 - 1 }
        for y in 0..<Self.height {
          let (row, v) = (y / cell, Self.eased(Float(y % cell) / Float(cell)))
          for x in 0..<Self.width {
            let (column, u) = (x / cell, Self.eased(Float(x % cell) / Float(cell)))
            let next = (column + 1) % columns
            let upper = grid[row * columns + column] * (1 - u) + grid[row * columns + next] * u
            let lower = grid[(row + 1) * columns + column] * (1 - u) + grid[(row + 1) * columns + next] * u
            sum[y * Self.width + x] += depth * (upper * (1 - v) + lower * v)
          }
        }
      }
      codes = sum.map { UInt8(min(max($0, 16), 235)) }
    }

    private static func eased(_ part: Float) -> Float { part * part * (3 - 2 * part) }
  }

  private static let world = World()
  private static let blocks = 8
  let size: PixelSize
  /// The tangent of half the horizontal field of view.
  private let half: Double

  init(size: PixelSize, fieldOfView: Double, zoom: Double) {
    (self.size, half) = (size, tan(fieldOfView / 2) / zoom)
  }

  /// Returns the stored pixel for angles relative to the camera's direction.
  private func pixel(pan: Double, tilt: Double) -> (x: Double, y: Double) {
    let focal = Double(size.width) / 2 / half
    return (
      Double(size.width) / 2 + tan(min(max(pan, -1.4), 1.4)) * focal,
      Double(size.height) / 2 - tan(min(max(tilt, -1.4), 1.4)) * focal
    )
  }

  /// Returns the place of a subject's centre in the picture.
  func place(pan: Double, tilt: Double, width: Double) -> DockLog.Place {
    let (x, y) = pixel(pan: pan, tilt: tilt)
    let focal = Double(size.width) / 2 / half
    return DockLog.Place(
      x: x / Double(size.width), y: y / Double(size.height), width: width * focal / Double(size.width))
  }

  func drawWorld(pan: Double, tilt: Double, into luma: Plane) {
    let focal = Double(size.width) / 2 / half
    let columns = (0..<size.width).map { x in
      Self.position(
        (pan + atan((Double(x) + 0.5 - Double(size.width) / 2) / focal)) * World.scale + Double(World.width)
          / 2,
        World.width)
    }
    Self.world.codes.withUnsafeBufferPointer { codes in
      for y in 0..<size.height {
        let angle = tilt - atan((Double(y) + 0.5 - Double(size.height) / 2) / focal)
        let (row, v) = Self.position(Double(World.height) / 2 - angle * World.scale, World.height)
        let (upper, lower) = (row * World.width, min(row + 1, World.height - 1) * World.width)
        let line = (luma.base + y * luma.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        for x in 0..<size.width {
          let (column, u) = columns[x]
          let next = column + 1 < World.width ? column + 1 : 0
          let above = Int(codes[upper + column]) * (256 - u) + Int(codes[upper + next]) * u
          let below = Int(codes[lower + column]) * (256 - u) + Int(codes[lower + next]) * u
          line[x] = UInt8((above * (256 - v) + below * v) >> 16)
        }
      }
    }
  }

  /// Returns an integer position, and 256ths of the way to the next one.
  private static func position(_ place: Double, _ count: Int) -> (Int, Int) {
    let bounded = min(max(place, 0), Double(count) - 1.001)
    return (Int(bounded), Int((bounded - bounded.rounded(.down)) * 256))
  }

  /// Draws a subject, clipped to the picture.
  func draw(_ place: DockLog.Place, look: UInt64, into luma: Plane) {
    var random = SplitMix64(seed: look &* 7919)
    let levels = (0..<Self.blocks * Self.blocks).map { _ in UInt8(random.next() % 2 == 0 ? 30 : 225) }
    let side = place.width * Double(size.width)
    let (left, top) = (
      place.x * Double(size.width) - side / 2, place.y * Double(size.height) - side / 2
    )
    guard side >= 1, left < Double(size.width), top < Double(size.height), left + side > 0, top + side > 0
    else {
      return
    }
    let rows = max(0, Int(top.rounded(.up)))..<max(0, min(size.height, Int((top + side).rounded(.down))))
    let columns = max(0, Int(left.rounded(.up)))..<max(0, min(size.width, Int((left + side).rounded(.down))))
    for y in rows {
      let line = (luma.base + y * luma.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      let row = min(Int((Double(y) - top) / side * Double(Self.blocks)), Self.blocks - 1)
      for x in columns {
        let column = min(Int((Double(x) - left) / side * Double(Self.blocks)), Self.blocks - 1)
        line[x] = levels[row * Self.blocks + column]
      }
    }
  }
}
