/// A look: the table of a `.cube` file, which maps every colour to another.
///
/// ```swift
/// let look = try ColorLookup(cube: bytes)
/// preview.look = look
/// ```
///
/// One-dimensional tables are a curve for each of red, green and blue; three-dimensional ones are interpolated tetrahedrally. The input of the
/// table is the colour of a full-range code, 0 to 1, whatever the picture's matrix and range. A colour
/// outside the table's domain counts as the nearest one inside. Copies share one table, and any thread may use it.
///
/// AVFoundation has no counterpart; Core Image's is `CIColorCube`.
public struct ColorLookup: Sendable {
  /// The contents of the file.
  public enum Kind: Hashable, Sendable {
    /// A curve with `size` entries for each of red, green and blue.
    case curves(size: Int)
    /// A lattice with `size` nodes along each axis.
    case lattice(size: Int)
    /// Curves, followed by a lattice.
    case shapedLattice(curves: Int, lattice: Int)
  }

  /// The largest file, in bytes.
  public static let mostBytes = 67_108_864
  /// The range of entries of a curve that the specification allows.
  static let curveSizes = 2...65_536
  /// The accepted range of nodes along an axis. The specification allows up to 256; programs write at most 65.
  static let latticeSizes = 2...129
  /// The number of values in the largest accepted file.
  static let mostValues = 3 * (65_536 + 129 * 129 * 129)

  /// The title in the file; nil without one. It is untrusted: make it safe before printing it.
  public let title: String?
  /// The contents of the file.
  public let kind: Kind
  let tables: LookupTables

  /// - Parameter bytes: a whole `.cube` file, of at most `mostBytes`.
  /// - Throws: `LookupError`, whose description is one sentence, for any defect in the whole file.
  public init(cube bytes: [UInt8]) throws(LookupError) {
    // `withUnsafeBytes` does not pass on typed errors.
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(LookupError) in try CubeFile(raw) }
    }
    let file = try result.get()
    title = file.title
    let curves = file.curveSize.map {
      LookupCurves(size: $0, domain: file.curveDomain, values: Array(file.values.prefix($0 * 3)))
    }
    let lattice = file.latticeSize.map {
      LookupLattice(size: $0, domain: file.latticeDomain, values: Array(file.values.suffix($0 * $0 * $0 * 3)))
    }
    kind =
      switch (curves, lattice) {
      case (let curves?, let lattice?): .shapedLattice(curves: curves.size, lattice: lattice.size)
      case (nil, let lattice?): .lattice(size: lattice.size)
      default: .curves(size: curves?.size ?? 0)
      }
    tables = LookupTables(curves: curves, lattice: lattice)
  }

  /// The exact result for a colour: in double precision, not clamped, so a table may lead beyond 0...1.
  public func color(red: Double, green: Double, blue: Double) -> (red: Double, green: Double, blue: Double) {
    let value = tables.value(SIMD3(red, green, blue))
    return (value.x, value.y, value.z)
  }

  /// Applies the look in place to a picture of your own, which nobody else may hold. Alpha stays. Every
  /// value is at most 1/255 from the exact one, as long as the table's own values are within ±64.
  /// - Parameter image: BGRA or RGBA, full range or limited.
  /// - Throws: `unsupported` for any other format; `truncated`.
  public func apply(to image: PixelBuffer) throws(ImageError) {
    guard image.format.pixelFormat == .bgra || image.format.pixelFormat == .rgba else {
      throw .unsupported(
        what: "a look on \(image.format.pixelFormat.rawValue) in place", remedy: "use LookConverter")
    }
    try image.checkPlanes()
    let size = image.format.size
    RGBRange.change(from: image.format.color.range, to: .full)?.apply(to: image.packed, size)
    apply(to: image.packed, size)
    RGBRange.change(from: .full, to: image.format.color.range)?.apply(to: image.packed, size)
  }

  /// Applies the look to rows of full-range pixels.
  func apply(to pixels: PackedPixels, _ size: PixelSize) {
    tables.bytes.apply(to: pixels, size)
  }
}

extension ColorLookup: Hashable {
  /// Whether both looks have the same numbers; titles do not count.
  public static func == (left: ColorLookup, right: ColorLookup) -> Bool {
    left.tables === right.tables
      || (left.kind == right.kind && left.tables.curves == right.tables.curves
        && left.tables.lattice == right.tables.lattice)
  }

  /// Hashes the kind and the first numbers: equal looks have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(tables.curves?.values.prefix(12))
    hasher.combine(tables.lattice?.values.prefix(12))
  }
}

/// The data that copies of a look share: the numbers of the file, and their prepared forms.
final class LookupTables: Sendable {
  let curves: LookupCurves?
  let lattice: LookupLattice?
  /// The form for 8-bit pictures.
  let bytes: CodeLookup
  /// The form with 10 bits in and 8 bits out, for a preview.
  let narrowing: CodeLookup
  /// The form with 10 bits in and out, for a recording.
  let words: CodeLookup

  init(curves: LookupCurves?, lattice: LookupLattice?) {
    self.curves = curves
    self.lattice = lattice
    let narrow = CodeNodes(lattice, most: 255)
    bytes = CodeLookup(curves, lattice, nodes: narrow, inputBits: 8, most: 255)
    narrowing = CodeLookup(curves, lattice, nodes: narrow, inputBits: 10, most: 255)
    words = CodeLookup(curves, lattice, nodes: CodeNodes(lattice, most: 1023), inputBits: 10, most: 1023)
  }

  func value(_ input: SIMD3<Double>) -> SIMD3<Double> {
    let shaped = curves?.value(input) ?? input
    return lattice?.value(shaped) ?? shaped
  }
}
