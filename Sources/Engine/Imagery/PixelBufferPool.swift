import Glibc
import System

/// Recycles memory for pictures of one or more formats. Safe from any thread; keeps a bounded number of idle buffers.
public final class PixelBufferPool: PixelBufferLender {
  /// One block of memory; `capacity` 0 marks an empty slot.
  ///
  /// `@unchecked Sendable`: the address is passed on only under the pool's mutex, to one loan at a time.
  private struct Slot: @unchecked Sendable {
    var base: UnsafeMutableRawPointer?
    var capacity = 0
    var isLent = false
    /// The format of the last picture in this block; the next picture mostly has the same format.
    var format: ImageFormat?
    /// The planes of the last picture in this block.
    var planes: [Plane] = []

    /// Whether the block is neither too small nor wastefully large.
    func fits(_ count: Int) -> Bool { capacity >= count && capacity <= count * 2 + 65_536 }
  }

  private let slots = Locked<[Slot]>([])
  private static let idleLimit = 8

  /// Creates an empty pool. It grows to the number of pictures held at a time, and is safe to use from several threads.
  public init() {}

  deinit {
    // Every buffer keeps its pool alive, so no memory is on loan here.
    slots.withLock { slots in
      for slot in slots { free(slot.base) }
    }
  }

  /// Uninitialised memory for `format`: planes one after another, rows padded to 64 bytes. It returns to the pool when
  /// the last holder releases it.
  /// - Throws: `tooLarge`, `unsupported` for a compressed format, `outOfMemory`.
  public func makeBuffer(_ format: ImageFormat) throws(ImageError) -> PixelBuffer {
    try makeBuffer(format, isInterlaced: false)
  }

  /// Uninitialised memory for a picture that may be interlaced.
  package func makeBuffer(_ format: ImageFormat, isInterlaced: Bool) throws(ImageError) -> PixelBuffer {
    let shapes = try format.planeShapes()
    var count = 0
    for index in 0..<shapes.count {
      count += shapes[index].bytesPerRow.aligned(to: 64) * shapes[index].height
    }
    let (base, loan) = try lend(count)
    let planes = planes(of: format, shapes, at: base, loan)
    return PixelBuffer(
      format: format, planes: planes, lender: self, loan: loan, isInterlaced: isInterlaced)
  }

  /// The planes for a picture of `format` in this memory: the planes of the last picture if it had this format, otherwise new ones.
  private func planes(
    of format: ImageFormat, _ shapes: PlaneShapes, at base: UnsafeMutableRawPointer, _ loan: Int
  ) -> [Plane] {
    let known = slots.withLock { $0[loan].format == format ? $0[loan].planes : [] }
    if !known.isEmpty { return known }
    var (planes, next) = ([Plane](), base)
    for shape in shapes {
      let bytesPerRow = shape.bytesPerRow.aligned(to: 64)
      planes.append(Plane(base: next, bytesPerRow: bytesPerRow, height: shape.height))
      next += bytesPerRow * shape.height
    }
    let made = planes
    slots.withLock { slots in
      slots[loan].format = format
      slots[loan].planes = made
    }
    return made
  }

  /// A copy of `bytes`: a compressed frame, or a whole raw picture with tightly packed planes.
  /// - Throws: `truncated` if a raw picture is too short or a compressed one empty; the errors of `makeBuffer(_:)`.
  public func makeBuffer(
    _ format: ImageFormat, compressed bytes: UnsafeRawBufferPointer
  ) throws(ImageError) -> PixelBuffer {
    let needed = max(format.frameByteCount, 1)
    guard let source = bytes.baseAddress, bytes.count >= needed else {
      throw .truncated(format: format.pixelFormat.rawValue, have: bytes.count, needed: needed)
    }
    guard format.pixelFormat.isCompressed else { return try copy(source, format) }
    let (base, loan) = try lend(bytes.count)
    memcpy(base, source, bytes.count)
    let plane = Plane(base: base, bytesPerRow: bytes.count, height: 1)
    return PixelBuffer(format: format, planes: [plane], lender: self, loan: loan)
  }

  /// A copy of a whole picture in memory of this pool.
  /// - Throws: `outOfMemory`; the errors of ``makeBuffer(_:)`` for an invalid format.
  public func makeCopy(of image: PixelBuffer) throws(ImageError) -> PixelBuffer {
    let format = image.format
    if format.pixelFormat.isCompressed {
      return try makeBuffer(format, compressed: image.planes[0].bytes)
    }
    try image.checkPlanes()
    let buffer = try makeBuffer(format)
    for (index, tight) in try format.planeLayout().enumerated() {
      let (source, copy) = (image.planes[index], buffer.planes[index])
      for row in 0..<tight.height {
        memcpy(copy.base + row * copy.bytesPerRow, source.base + row * source.bytesPerRow, tight.bytesPerRow)
      }
    }
    return buffer
  }

  /// Takes memory back from a buffer of this pool when it is released; not to be called by users of the pool.
  public func takeBack(_ index: Int) {
    let surplus: Slot? = slots.withLock { slots in
      slots[index].isLent = false
      var idle = 0
      for index in 0..<slots.count where !slots[index].isLent && slots[index].capacity > 0 { idle += 1 }
      guard idle > Self.idleLimit else { return nil }
      defer { slots[index] = Slot() }
      return slots[index]
    }
    free(surplus?.base)
  }

  private func copy(_ source: UnsafeRawPointer, _ format: ImageFormat) throws(ImageError) -> PixelBuffer {
    let buffer = try makeBuffer(format)
    var source = source
    for (plane, tight) in zip(buffer.planes, try format.planeLayout()) {
      for row in 0..<tight.height {
        memcpy(plane.base + row * plane.bytesPerRow, source, tight.bytesPerRow)
        source += tight.bytesPerRow
      }
    }
    return buffer
  }

  /// The smallest idle block that is neither too small nor wastefully large, or a new one.
  private func lend(_ count: Int) throws(ImageError) -> (UnsafeMutableRawPointer, Int) {
    let found: (Slot, Int)? = slots.withLock { slots in
      var best: Int?
      for index in slots.indices where !slots[index].isLent && slots[index].fits(count) {
        if best.map({ slots[index].capacity < slots[$0].capacity }) ?? true { best = index }
      }
      guard let chosen = best else { return nil }
      slots[chosen].isLent = true
      return (slots[chosen], chosen)
    }
    if let (slot, index) = found, let base = slot.base { return (base, index) }
    let slot = Slot(base: try allocateAligned(count), capacity: count, isLent: true)
    guard let base = slot.base else { throw .outOfMemory(bytes: count) }
    let index = slots.withLock { slots in
      if let empty = slots.firstIndex(where: { $0.capacity == 0 }) {
        slots[empty] = slot
        return empty
      }
      slots.append(slot)
      return slots.count - 1
    }
    return (base, index)
  }
}

/// `count` bytes plus a margin, on a 64-byte boundary; free it with `free`. SIMD kernels may read up to 64 bytes past the end.
///
/// Large memory uses whole huge pages if that makes it at most a sixth larger: the kernel then provides and clears it with one fault instead of 512,
/// which matters for a first picture in untouched memory. `MADV_HUGEPAGE` is not used, since the kernel would then block the
/// caller to make room for huge pages.
func allocateAligned(_ count: Int) throws(ImageError) -> UnsafeMutableRawPointer {
  var (base, alignment, size): (UnsafeMutableRawPointer?, Int, Int) = (nil, 64, count + 64)
  let whole = size.aligned(to: hugePage)
  if whole - size <= size / 6 { (alignment, size) = (hugePage, whole) }
  guard posix_memalign(&base, alignment, size) == 0, let base else { throw .outOfMemory(bytes: count) }
  return base
}

/// The size of a huge page of x86-64, and of arm64 with pages of 4 KiB.
private let hugePage = 2 << 20

extension Int {
  /// The number rounded up to a multiple of `unit`.
  func aligned(to unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
