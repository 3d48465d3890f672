import CDRM
public import Imagery

/// A size and a rate that a display can show.
public struct DisplayMode: Sendable, CustomStringConvertible {
  let timing: cdrm_mode

  init(_ timing: cdrm_mode) { self.timing = timing }

  /// A mode of these totals, for tests.
  /// - Parameters:
  ///   - size: of what is seen, in pixels.
  ///   - refreshRate: in Hz; kept to the kilohertz of the pixel clock.
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

  /// Of what is seen, in pixels.
  public var size: PixelSize { PixelSize(width: Int(timing.hdisplay), height: Int(timing.vdisplay)) }
  /// The display asks for this one.
  public var isPreferred: Bool { timing.type & Self.preferred != 0 }
  /// Each line is shown once in each picture.
  var isProgressive: Bool { timing.flags & (Self.interlaced | Self.doubled) == 0 }

  /// Pictures a second: the pixel clock through the pixels of a picture, seen or not; 0 where the driver gives no timings.
  public var refreshRate: Double {
    let pixels = Double(timing.htotal) * Double(timing.vtotal)
    return pixels > 0 ? Double(timing.clock) * 1000 / pixels : 0
  }

  /// From vblank to vblank.
  public var refreshInterval: Duration {
    refreshRate > 0 ? .nanoseconds(Int64((1e9 / refreshRate).rounded())) : .zero
  }

  /// `1024×768@60.0`.
  public var description: String {
    let tenths = Int((refreshRate * 10).rounded())
    return "\(size)@\(tenths / 10).\(tenths % 10)"
  }

  /// Interlaced modes and those without timings are never chosen. Of the others: what `size` asks for, as fast as it goes; with no wish the one that
  /// the display prefers, and where it prefers none the largest and fastest.
  static func choose(from modes: [DisplayMode], size: PixelSize?) -> DisplayMode? {
    let usable = modes.filter {
      $0.isProgressive && $0.refreshRate >= 1 && $0.size.width > 0 && $0.size.height > 0
    }
    if let size { return usable.filter { $0.size == size }.max { $0.refreshRate < $1.refreshRate } }
    return usable.first { $0.isPreferred } ?? usable.max { $0.rank < $1.rank }
  }

  private var rank: (Int, Double) { (size.width * size.height, refreshRate) }
}
