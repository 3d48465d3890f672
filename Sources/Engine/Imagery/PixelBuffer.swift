/// One plane of a picture: rows of bytes, `bytesPerRow` apart. For compressed frames one plane of one row.
public struct Plane {
  /// First byte of the first row. Valid as long as the `PixelBuffer` it belongs to is held.
  public let base: UnsafeMutableRawPointer
  /// Distance between the starts of rows, in bytes.
  public let bytesPerRow: Int
  /// Rows.
  public let height: Int

  /// A view of memory that somebody else owns; at least `bytesPerRow` times `height` bytes of it must stay valid.
  public init(base: UnsafeMutableRawPointer, bytesPerRow: Int, height: Int) {
    self.base = base
    self.bytesPerRow = bytesPerRow
    self.height = height
  }

  /// Of all rows, with what lies between them.
  public var byteCount: Int { bytesPerRow * height }
  /// All rows, with what lies between them. Valid as long as the `PixelBuffer` is held.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: byteCount) }
}

/// Where a plane is for another device or program that shares its memory: in a DMA-BUF.
public struct SharedPlane: Hashable, Sendable {
  /// The DMA-BUF, closed by its owner at some time after the `PixelBuffer` is let go: duplicate it to keep it. The driver's
  /// buffers take turns, and each keeps its own as long as it is there, so what is made of one can be kept with it.
  public let descriptor: Int32
  /// Of its first byte, in bytes.
  public let offset: Int

  /// A place in a DMA-BUF, which stays its owner's.
  public init(descriptor: Int32, offset: Int) {
    self.descriptor = descriptor
    self.offset = offset
  }
}

/// The owner of memory that pixel buffers borrow: a V4L2 buffer queue, a pool, a mapped file.
public protocol PixelBufferLender: AnyObject, Sendable {
  /// The last holder of the loan `index` let go. Called once a loan, on whichever thread that was; must not block.
  func takeBack(_ index: Int)
  /// Makes the memory of a loan, in which `planes` are, known to others. Called while it is held, on any thread.
  /// - Returns: as many as there are planes; nil when it cannot be shared.
  func share(_ index: Int, planes: [Plane]) -> [SharedPlane]?
}

extension PixelBufferLender {
  /// Cannot be shared: the default of lenders whose memory is ordinary.
  public func share(_ index: Int, planes: [Plane]) -> [SharedPlane]? { nil }
}

/// A picture in memory, on loan: whoever holds it may read it, and when the last holder lets go the memory returns to
/// its lender by itself. The lender is kept alive until then.
///
/// `@unchecked Sendable`: the planes are written before the buffer is made and only read while it is held; the one
/// mutable thing, the return of the loan, happens in `deinit`, which runs once.
public final class PixelBuffer: @unchecked Sendable {
  /// Pixel format, size and colour of what `planes` hold.
  public let format: ImageFormat
  /// One to three planes; for a compressed format one plane holding exactly the compressed bytes.
  public let planes: [Plane]
  /// Its lines are those of two moments by turns, as analogue television has them (V4L2 `V4L2_FIELD_INTERLACED`). Preview, photo and
  /// converters show the moment of the upper lines, and make the others of them.
  public let isInterlaced: Bool
  private let lender: (any PixelBufferLender)?
  private let loan: Int

  /// - Parameters:
  ///   - planes: as many as `format` has, each large enough for it.
  ///   - lender: told when the loan ends; nil when the memory outlives every use.
  ///   - isInterlaced: whether its lines are those of two moments by turns.
  public init(
    format: ImageFormat, planes: [Plane], lender: (any PixelBufferLender)?, loan: Int = 0,
    isInterlaced: Bool = false
  ) {
    self.format = format
    self.planes = planes
    self.isInterlaced = isInterlaced
    self.lender = lender
    self.loan = loan
  }

  /// Where the planes are for a sink that takes DMA-BUFs (a display, an encoder), without a copy. Made when first asked for.
  /// - Returns: as many as `planes`; nil where the memory cannot be shared: use its bytes.
  public func shared() -> [SharedPlane]? { lender?.share(loan, planes: planes) }

  deinit { lender?.takeBack(loan) }
}
