/// The planes of a picture, one to three, without an array, so that a view of a picture allocates nothing. Code that runs for each picture
/// reads them by index: as a sequence, they allocate for each element in code that is not optimised.
struct Planes: RandomAccessCollection {
  private var luma: Plane?
  private var cb: Plane?
  private var cr: Plane?
  private(set) var count = 0

  init() {}

  init(_ luma: Plane, _ cb: Plane, cr: Plane) {
    self.luma = luma
    self.cb = cb
    self.cr = cr
    count = 3
  }

  /// Creates planes from the first three of an array.
  init(_ planes: [Plane]) {
    for index in 0..<Swift.min(3, planes.count) { append(planes[index]) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Plane {
    get {
      let plane = index == 0 ? luma : index == 1 ? cb : index == 2 ? cr : nil
      guard let plane else { preconditionFailure("a picture has no plane \(index)") }
      return plane
    }
    set {
      precondition(index >= 0 && index < count, "a picture has no such plane")
      switch index {
      case 0: luma = newValue
      case 1: cb = newValue
      default: cr = newValue
      }
    }
  }

  /// The planes in order, for a picture with Cr before Cb.
  var withChromaSwapped: Planes { Planes(self[0], self[2], cr: self[1]) }

  mutating func append(_ plane: Plane) {
    precondition(count < 3, "a picture has at most three planes")
    count += 1
    self[count - 1] = plane
  }

  /// Passes addresses and row lengths of three planes to `body` as libjpeg-turbo needs them, without an array; missing planes have none.
  func withPointers<Result>(
    _ body: (
      _ bases: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _ strides: UnsafeMutablePointer<Int32>
    ) -> Result
  ) -> Result {
    var bases = (luma?.pointer, cb?.pointer, cr?.pointer)
    var strides = (luma?.stride ?? 0, cb?.stride ?? 0, cr?.stride ?? 0)
    return withUnsafeMutablePointer(to: &bases) { bases in
      withUnsafeMutablePointer(to: &strides) { strides in
        // A tuple of values of one type has the same memory layout as an array.
        bases.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 3) { bases in
          strides.withMemoryRebound(to: Int32.self, capacity: 3) { body(bases, $0) }
        }
      }
    }
  }
}

/// The bytes per row and the rows of each plane of a format, one to three, without an array. Read by index, like `Planes`.
struct PlaneShapes: RandomAccessCollection {
  typealias Element = (bytesPerRow: Int, height: Int)

  private let shapes: (Element, Element, Element)
  let count: Int

  init(_ luma: Element, _ chroma: Element = (0, 0), last: Element = (0, 0)) {
    shapes = (luma, chroma, last)
    count = last.height > 0 ? 3 : chroma.height > 0 ? 2 : 1
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }
  subscript(index: Int) -> Element { index == 0 ? shapes.0 : index == 1 ? shapes.1 : shapes.2 }
}
