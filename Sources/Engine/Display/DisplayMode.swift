import CDRM
public import Imagery

/// A mode of a display: a size and a rate.
public struct DisplayMode: Sendable, CustomStringConvertible {
  let timing: cdrm_mode

  init(_ timing: cdrm_mode) { self.timing = timing }

  /// Creates a mode for tests, with fixed blanking.
  /// - Parameters:
  ///   - size: the visible size, in pixels.
  ///   - refreshRate: in Hz; exact to the kilohertz of the pixel clock.
  package init(size: PixelSize, refreshRate: Double, isPreferred: Bool = false, isInterlaced: Bool = false) {
    let (columns, rows) = (UInt16(size.width + 160), UInt16(size.height + 40))
    var timing = cdrm_mode()
    timing.clock = UInt32((refreshRate * Double(columns) * Double(rows) / 1000).rounded())
    timing.hdisplay = UInt16(size.width)
    timing.htotal = columns
    timing.vdisplay = UInt16(size.height)
    timing.vtotal = rows
    timing.type = isPreferred ? Self.preferred : 0
    timing.flags = isInterlaced ? Self.interlaced : 0
    self.init(timing)
  }

  /// `DRM_MODE_TYPE_PREFERRED`, `DRM_MODE_FLAG_INTERLACE`, `DRM_MODE_FLAG_DBLSCAN`.
  private static let (preferred, interlaced, doubled): (UInt32, UInt32, UInt32) = (1 << 3, 1 << 4, 1 << 5)

  /// The visible size, in pixels.
  public var size: PixelSize { PixelSize(width: Int(timing.hdisplay), height: Int(timing.vdisplay)) }
  /// Whether the display prefers this mode.
  public var isPreferred: Bool { timing.type & Self.preferred != 0 }
  /// Whether each line is shown once in each picture.
  var isProgressive: Bool { timing.flags & (Self.interlaced | Self.doubled) == 0 }

  /// The number of pictures a second: the pixel clock divided by the pixels of a picture, including blanking; 0 if the driver gives no timings.
  public var refreshRate: Double {
    let pixels = Double(timing.htotal) * Double(timing.vtotal)
    return pixels > 0 ? Double(timing.clock) * 1000 / pixels : 0
  }

  /// The time between two vblanks.
  public var refreshInterval: Duration {
    refreshRate > 0 ? .nanoseconds(Int64((1e9 / refreshRate).rounded())) : .zero
  }

  /// Text such as `1024×768@60.0`.
  public var description: String {
    let tenths = Int((refreshRate * 10).rounded())
    return "\(size)@\(tenths / 10).\(tenths % 10)"
  }

  /// Chooses a mode. Interlaced modes and those without timings are never chosen. With a `size`, it is the fastest mode of that size; without one, it
  /// is the display's preferred mode, or else the largest and fastest.
  static func choose(from modes: [DisplayMode], size: PixelSize?) -> DisplayMode? {
    let usable = modes.filter {
      $0.isProgressive && $0.refreshRate >= 1 && $0.size.width > 0 && $0.size.height > 0
    }
    if let size { return usable.filter { $0.size == size }.max { $0.refreshRate < $1.refreshRate } }
    return usable.first { $0.isPreferred } ?? usable.max { $0.rank < $1.rank }
  }

  private var rank: (Int, Double) { (size.width * size.height, refreshRate) }
}
