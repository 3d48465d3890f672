package import Imagery
package import Video4Linux

/// Where the picture is in a driver's buffers: the planes of the engine's format in the planes of the driver's, which
/// may be one for all of them (NV12) or one for each (NM12).
package struct V4L2Layout {
  private struct Place {
    /// Of the driver's planes.
    var buffer: Int
    var offset: Int
    var bytesPerRow: Int
    var height: Int

    /// The last row need not be padded.
    func end(width: Int) -> Int { offset + bytesPerRow * (height - 1) + width }
  }

  package let image: ImageFormat
  /// Its lines are those of two fields by turns. Of compressed pictures each is what its decoder makes of it.
  package let isInterlaced: Bool
  private let places: [Place]
  /// Bytes that each of the driver's planes must hold for a whole picture.
  private let needed: [Int]

  /// - Returns: nil when the driver's figures leave no room for the picture.
  package init?(_ format: VideoFormat, image: ImageFormat) {
    self.image = image
    isInterlaced = format.field.isInterleaved && !image.pixelFormat.isCompressed
    guard !image.pixelFormat.isCompressed else {
      places = []
      needed = [1]
      return
    }
    guard let tight = try? image.planeLayout(), let first = format.planes.first else { return nil }
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

  /// In one buffer the row length of later planes follows from that of the first, in proportion (V4L2, "Planar YUV
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

  /// The picture in a filled buffer that fits and is not damaged.
  package func planes(of filled: DequeuedBuffer, in buffer: MappedBuffer) -> [Plane] {
    (0..<planeCount).map { plane($0, of: filled, in: buffer) }
  }

  /// Brings the planes of a buffer's last picture to those of the present one. Where nobody holds the last any more no array is made.
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

  /// Why a filled buffer holds no whole picture; nil when it does.
  package func damage(of filled: DequeuedBuffer) -> String? {
    if filled.isDamaged { return "the driver marked it as damaged" }
    for plane in 0..<needed.count where filled.bytesUsed(plane: plane) < needed[plane] {
      let used = filled.bytesUsed(plane: plane)
      return used == 0 ? "it is empty" : "it has \(used) of \(needed[plane]) bytes"
    }
    return nil
  }
}
