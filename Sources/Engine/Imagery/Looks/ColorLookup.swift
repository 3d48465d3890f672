/// A look: the table of a `.cube` file, which says for every colour which one is to take its place.
///
/// ```swift
/// let look = try ColorLookup(cube: bytes)
/// preview.look = look
/// ```
///
/// One-dimensional tables are a curve for each of red, green and blue; three-dimensional ones are interpolated tetrahedrally. Of
/// codes the table sees what light a full-range code stands for, 0 to 1, in whatever matrix and range they came. A colour
/// outside the table's domain counts as the nearest in it. Copies share one table, and any thread may use it.
///
/// AVFoundation has no counterpart; Core Image's is `CIColorCube`.
public struct ColorLookup: Sendable {
  /// What the file holds.
  public enum Kind: Hashable, Sendable {
    /// A curve of that many entries for each of red, green and blue.
    case curves(size: Int)
    /// That many nodes along each axis.
    case lattice(size: Int)
    /// Curves, and a lattice that sees what they give.
    case shapedLattice(curves: Int, lattice: Int)
  }

  /// Most bytes of a file.
  public static let mostBytes = 67_108_864
  /// Entries of curves, as the specification has it.
  static let curveSizes = 2...65_536
  /// Nodes along an axis. The specification allows 256; the largest that programs write is 65.
  static let latticeSizes = 2...129
  /// Numbers of the largest file that is legal.
  static let mostValues = 3 * (65_536 + 129 * 129 * 129)

  /// As the file has it, nil without one. From outside: make it safe before you print it.
  public let title: String?
  /// What the file holds.
  public let kind: Kind
  let tables: LookupTables

  /// - Parameter bytes: a whole `.cube` file, of at most `mostBytes`.
  /// - Throws: `LookupError`, whose description is one sentence, for whatever is not sound from the first byte to the last.
  public init(cube bytes: [UInt8]) throws(LookupError) {
    // `withUnsafeBytes` does not carry typed errors out.
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

  /// What becomes of a colour, exactly: in double precision, not clamped, so that a table may lead beyond 0...1.
  public func color(red: Double, green: Double, blue: Double) -> (red: Double, green: Double, blue: Double) {
    let value = tables.value(SIMD3(red, green, blue))
    return (value.x, value.y, value.z)
  }

  /// Gives a picture of your own the look, in place: nobody else may hold it. Alpha stays. Every value is at most 1/255 from the exact
  /// one, as long as the table's own values lie within ±64.
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

  /// The same on rows of full-range pixels.
  func apply(to pixels: PackedPixels, _ size: PixelSize) {
    tables.bytes.apply(to: pixels, size)
  }
}

extension ColorLookup: Hashable {
  /// Whether both came of the same numbers; titles do not count.
  public static func == (left: ColorLookup, right: ColorLookup) -> Bool {
    left.tables === right.tables
      || (left.kind == right.kind && left.tables.curves == right.tables.curves
        && left.tables.lattice == right.tables.lattice)
  }

  /// By kind and the first numbers: equal looks have the same.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(tables.curves?.values.prefix(12))
    hasher.combine(tables.lattice?.values.prefix(12))
  }
}

/// What copies of a look share: the numbers of the file, and the same made ready for codes.
final class LookupTables: Sendable {
  let curves: LookupCurves?
  let lattice: LookupLattice?
  /// For pictures of 8 bits a channel.
  let bytes: CodeLookup
  /// 10 bits in, 8 out: for a preview.
  let narrowing: CodeLookup
  /// 10 bits in and out: for a recording.
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
