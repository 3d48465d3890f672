package import Imagery
package import Video4Linux

/// The place of the picture in a driver's buffers: maps the planes of the engine's format to the driver's
/// planes. The driver may have one plane for all of them (NV12), or one for each (NM12).
package struct V4L2Layout {
  private struct Place {
    /// The index of the driver's plane.
    var buffer: Int
    var offset: Int
    var bytesPerRow: Int
    var height: Int

    /// The offset behind the last byte; the last row needs no padding.
    func end(width: Int) -> Int { offset + bytesPerRow * (height - 1) + width }
  }

  package let image: ImageFormat
  /// Whether the lines of two fields alternate. False for compressed pictures, whose decoder decides.
  package let isInterlaced: Bool
  /// The conversion of a sensor's samples; nil if the engine reads the driver's pictures as they are.
  private let unpacking: RawUnpacking?
  private let places: [Place]
  /// The number of bytes that each of the driver's planes must hold for a whole picture.
  private let needed: [Int]

  /// - Parameter blackLevel: the sample of black of a sensor, in the format's own numbers.
  /// - Returns: nil if the picture does not fit in the sizes that the driver reports.
  package init?(_ format: VideoFormat, image: ImageFormat, blackLevel: Int = 0) {
    self.image = image
    unpacking = RawUnpacking(format, range: image.color.range, blackLevel: blackLevel)
    isInterlaced = format.field.isInterleaved && !image.pixelFormat.isCompressed
    guard !image.pixelFormat.isCompressed else {
      places = []
      needed = [1]
      return
    }
    guard var tight = try? image.planeLayout(), let first = format.planes.first else { return nil }
    if let unpacking {
      tight = [(unpacking.packing.bytesPerRow(image.size.width), image.size.height)]
    }
    var places: [Place] = []
    var needed = Array(repeating: 0, count: format.planes.count)
    var offset = 0
    for (index, plane) in tight.enumerated() {
      let isApart = format.planes.count > 1
      guard !isApart || index < format.planes.count else { return nil }
      let given = isApart ? format.planes[index].bytesPerLine : V4L2Layout.stride(first, of: index, tight)
      let stride = given == 0 ? plane.bytesPerRow : given
      guard stride >= plane.bytesPerRow, stride <= 1 << 20 else { return nil }
      let place = Place(
        buffer: isApart ? index : 0, offset: isApart ? 0 : offset, bytesPerRow: stride, height: plane.height)
      places.append(place)
      needed[place.buffer] = place.end(width: plane.bytesPerRow)
      offset += stride * plane.height
    }
    self.places = places
    self.needed = needed
  }

  /// The row length of a plane. In one buffer the row length of later planes follows from that of the first, in proportion (V4L2, "Planar YUV
  /// formats": chroma rows of YU12 and 422P are half as long as luma rows, those of NV12 as long).
  private static func stride(_ first: PlaneLayout, of index: Int, _ tight: [(bytesPerRow: Int, height: Int)])
    -> Int
  {
    index == 0 || tight[index].bytesPerRow >= tight[0].bytesPerRow
      ? first.bytesPerLine : first.bytesPerLine / 2
  }

  /// Whether a mapped buffer has room for the picture.
  package func fits(_ buffer: MappedBuffer) -> Bool {
    buffer.planes.count >= needed.count && zip(buffer.planes, needed).allSatisfy { $0.length >= $1 }
  }

  /// Whether a picture has to be converted when it is taken, so that the driver's buffer is free at once.
  var isUnpacked: Bool { unpacking != nil }

  /// The picture in a filled buffer, which must fit and be undamaged. It lies in the buffer, unless it has to be converted.
  package func picture(
    of filled: DequeuedBuffer, in buffer: MappedBuffer, pool: PixelBufferPool
  ) throws(ImageError) -> PixelBuffer {
    let planes = planes(of: filled, in: buffer)
    guard let unpacking else { return PixelBuffer(format: image, planes: planes, lender: nil) }
    let picture = try pool.makeBuffer(image, isInterlaced: isInterlaced)
    unpacking.unpack(planes[0], image.size, into: picture.planes[0])
    return picture
  }

  /// The planes of the picture as the driver laid them out, in a filled buffer. The buffer must fit and be undamaged.
  func planes(of filled: DequeuedBuffer, in buffer: MappedBuffer) -> [Plane] {
    (0..<planeCount).map { plane($0, of: filled, in: buffer) }
  }

  /// Updates the planes of a buffer's previous picture for the present one. If nobody holds the previous planes any more, no array is allocated.
  func update(_ planes: inout [Plane], to filled: DequeuedBuffer, in buffer: MappedBuffer) {
    guard planes.count == planeCount else {
      planes = self.planes(of: filled, in: buffer)
      return
    }
    for index in 0..<planeCount {
      let (known, new) = (planes[index], plane(index, of: filled, in: buffer))
      if known.base != new.base || known.bytesPerRow != new.bytesPerRow { planes[index] = new }
    }
  }

  private var planeCount: Int { image.pixelFormat.isCompressed ? 1 : places.count }

  private func plane(_ index: Int, of filled: DequeuedBuffer, in buffer: MappedBuffer) -> Plane {
    guard !image.pixelFormat.isCompressed else {
      let base = buffer.planes[0].base + filled.dataOffset()
      return Plane(base: base, bytesPerRow: filled.bytesUsed(), height: 1)
    }
    let place = places[index]
    let base = buffer.planes[place.buffer].base + filled.dataOffset(plane: place.buffer) + place.offset
    return Plane(base: base, bytesPerRow: place.bytesPerRow, height: place.height)
  }

  /// The reason why a filled buffer holds no whole picture; nil if it does.
  package func damage(of filled: DequeuedBuffer) -> String? {
    if filled.isDamaged { return "the driver marked it as damaged" }
    for plane in 0..<needed.count where filled.bytesUsed(plane: plane) < needed[plane] {
      let used = filled.bytesUsed(plane: plane)
      return used == 0 ? "it is empty" : "it has \(used) of \(needed[plane]) bytes"
    }
    return nil
  }
}

extension RawUnpacking {
  /// Nil if the engine reads the driver's samples as they are: those of 8 bits that already have a transfer function, or another kind of picture.
  fileprivate init?(_ format: VideoFormat, range: ColorRange, blackLevel: Int) {
    guard let raw = V4L2RawFormat(format.fourCC) else { return nil }
    let isLinear = format.colorimetry.resolved(isRGB: raw.format.carriesRGB).isLinear
    guard raw.packing.bits > 8 || isLinear || blackLevel > 0 else { return nil }
    self.init(raw.packing, isLinear: isLinear, blackLevel: blackLevel, range: range)
  }
}
