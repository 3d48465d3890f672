/// One plane of a picture: rows of bytes, `bytesPerRow` apart. For compressed frames one plane of one row.
public struct Plane {
  /// First byte of the first row. Valid as long as the `PixelBuffer` it belongs to is held.
  public let base: UnsafeMutableRawPointer
  /// Distance between the starts of rows, in bytes.
  public let bytesPerRow: Int
  /// Rows.
  public let height: Int

  public init(base: UnsafeMutableRawPointer, bytesPerRow: Int, height: Int) {
    self.base = base
    self.bytesPerRow = bytesPerRow
    self.height = height
  }

  public var byteCount: Int { bytesPerRow * height }
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: byteCount) }
}

/// The owner of memory that pixel buffers borrow: a V4L2 buffer queue, a pool, a mapped file.
public protocol PixelBufferLender: AnyObject, Sendable {
  /// The last holder of the loan `index` let go. Called once a loan, on whichever thread that was; must not block.
  func takeBack(_ index: Int)
}

/// A picture in memory, on loan: whoever holds it may read it, and when the last holder lets go the memory returns to
/// its lender by itself. The lender is kept alive until then.
///
/// `@unchecked Sendable`: the planes are written before the buffer is made and only read while it is held; the one
/// mutable thing, the return of the loan, happens in `deinit`, which runs once.
public final class PixelBuffer: @unchecked Sendable {
  public let format: ImageFormat
  /// One to three planes; for a compressed format one plane holding exactly the compressed bytes.
  public let planes: [Plane]
  private let lender: (any PixelBufferLender)?
  private let loan: Int

  /// - Parameters:
  ///   - planes: as many as `format` has, each large enough for it.
  ///   - lender: told when the loan ends; nil when the memory outlives every use.
  public init(format: ImageFormat, planes: [Plane], lender: (any PixelBufferLender)?, loan: Int = 0) {
    self.format = format
    self.planes = planes
    self.lender = lender
    self.loan = loan
  }

  deinit { lender?.takeBack(loan) }
}
