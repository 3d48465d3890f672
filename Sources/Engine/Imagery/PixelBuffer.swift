/// One plane of a picture: rows of bytes, `bytesPerRow` apart. For compressed frames one plane of one row.
public struct Plane {
  /// The first byte of the first row. Valid as long as the plane's `PixelBuffer` is held.
  public let base: UnsafeMutableRawPointer
  /// The distance between the starts of rows, in bytes.
  public let bytesPerRow: Int
  /// The number of rows.
  public let height: Int

  /// Creates a view of memory with another owner; at least `bytesPerRow` times `height` bytes of it must stay valid.
  public init(base: UnsafeMutableRawPointer, bytesPerRow: Int, height: Int) {
    self.base = base
    self.bytesPerRow = bytesPerRow
    self.height = height
  }

  /// The number of bytes of all rows, including the padding between them.
  public var byteCount: Int { bytesPerRow * height }
  /// The bytes of all rows, including the padding between them. Valid as long as the `PixelBuffer` is held.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: byteCount) }
}

/// The location of a plane in a DMA-BUF, for sharing its memory with another device or program.
public struct SharedPlane: Hashable, Sendable {
  /// The DMA-BUF. Its owner closes it at some time after the `PixelBuffer` is released, so duplicate it to keep it. The driver's
  /// buffers alternate, and each keeps its own descriptor as long as it exists, so a program can cache data for each descriptor.
  public let descriptor: Int32
  /// The offset of the plane's first byte, in bytes.
  public let offset: Int

  /// Creates a location in a DMA-BUF, which still belongs to its owner.
  public init(descriptor: Int32, offset: Int) {
    self.descriptor = descriptor
    self.offset = offset
  }
}

/// The owner of memory that pixel buffers borrow: a V4L2 buffer queue, a pool, a mapped file.
public protocol PixelBufferLender: AnyObject, Sendable {
  /// Ends the loan `index`, after its last holder released it. Called once for each loan, on the holder's thread; must not block.
  func takeBack(_ index: Int)
  /// Exports the memory of a loan, which contains `planes`. Called while the loan is held, on any thread.
  /// - Returns: one location for each plane; nil if the memory cannot be shared.
  func share(_ index: Int, planes: [Plane]) -> [SharedPlane]?
}

extension PixelBufferLender {
  /// Returns nil: ordinary memory cannot be shared.
  public func share(_ index: Int, planes: [Plane]) -> [SharedPlane]? { nil }
}

/// A picture in memory, on loan: its holders may read it, and when the last one releases it, the memory returns to
/// its lender. The lender is kept alive until then.
///
/// `@unchecked Sendable`: the planes are written before the buffer is created and only read while it is held; the only
/// mutation, the return of the loan, happens in `deinit`, which runs once.
public final class PixelBuffer: @unchecked Sendable {
  /// The pixel format, the size and the colour of the planes.
  public let format: ImageFormat
  /// One to three planes; for a compressed format one plane with exactly the compressed bytes.
  public let planes: [Plane]
  /// Whether lines of two moments alternate, as in analogue television (V4L2 `V4L2_FIELD_INTERLACED`). Preview, photo and
  /// converters show the moment of the upper lines, and interpolate the other lines.
  public let isInterlaced: Bool
  private let lender: (any PixelBufferLender)?
  private let loan: Int

  /// - Parameters:
  ///   - planes: the planes that `format` requires, each large enough for it.
  ///   - lender: called when the loan ends; nil if the memory outlives every use.
  ///   - isInterlaced: whether lines of two moments alternate.
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

  /// The locations of the planes, for a sink that takes DMA-BUFs (a display, an encoder) without a copy. Exported at the first call.
  /// - Returns: one location for each plane; nil if the memory cannot be shared. Then use the bytes of the planes.
  public func shared() -> [SharedPlane]? { lender?.share(loan, planes: planes) }

  deinit { lender?.takeBack(loan) }
}
