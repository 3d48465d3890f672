import Imagery

/// The heights of shapes that look like letters in a picture. They decide on the photo's size if nothing can be read.
///
/// A letter is a connected area that is darker or lighter than the mean around it by at least `leastContrast`, has the shape of a
/// letter, and is beside two others of similar size. Ornaments and edges of books are sometimes taken for letters. They are
/// small, so they make the photo larger than needed rather than too small.
struct LetterMeasure {
  /// The longest side of the copy that is searched, pixels.
  static let longSide = 3200
  /// The least difference in luma, 0…255, between a letter and the mean around it.
  static let leastContrast = 28
  /// The least height of a legible letter in a photo, pixels.
  static let leastHeight = 9.0
  /// The greatest length of a letter, pixels of the copy.
  private static let largest = 300
  /// The least number of letters on which a decision is based.
  static let leastCount = 12

  /// The height of each letter, pixels of the whole picture.
  let heights: [Double]

  init(_ photo: UprightPhoto) throws(ScanError) {
    let longSide = max(photo.size.width, photo.size.height)
    let scale = min(1, Double(Self.longSide) / Double(longSide))
    let copy =
      scale == 1
      ? photo.raster
      : try photo.raster.scaled(
        width: max(1, Int(Double(photo.size.width) * scale)),
        height: max(1, Int(Double(photo.size.height) * scale)))
    var (dark, light) = Contrast.maps(copy.luma(), width: copy.width, height: copy.height)
    let (onLight, onDark) = (Self.letters(in: &dark), Self.letters(in: &light))
    let letters =
      Self.inCompany(Self.outside(onLight, of: onDark)) + Self.inCompany(Self.outside(onDark, of: onLight))
    heights = letters.map { $0.size / scale }
  }

  /// Returns the number of letters that are at least `leastHeight` pixels high if the picture is scaled by `factor`.
  func legible(at factor: Double) -> Int { heights.count { $0 * factor >= Self.leastHeight } }

  private struct Letter {
    /// The middle of the letter's box.
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// The longer side, because letters of a line that runs up or down lie on their side.
    var size: Double { max(width, height) }

    func holds(_ other: Letter) -> Bool {
      abs(other.x - x) * 2 <= width - other.width && abs(other.y - y) * 2 <= height - other.height
    }
  }

  /// An index of letters by place.
  private struct Grid {
    private static let cell = 64.0
    private var cells: [Int: [Int]] = [:]

    init(_ letters: [Letter]) {
      for (index, letter) in letters.enumerated() {
        cells[Self.key(Int(letter.x / Self.cell), Int(letter.y / Self.cell)), default: []].append(index)
      }
    }

    private static func key(_ column: Int, _ row: Int) -> Int { row << 20 | column }

    /// Calls `body` with indices of letters, until it returns true. The letters are all those within `reach` across and down, and
    /// perhaps some farther away.
    func near(_ letter: Letter, reach: Double, until body: (Int) -> Bool) {
      let columns = Int(max(0, letter.x - reach) / Self.cell)...Int((letter.x + reach) / Self.cell)
      for row in Int(max(0, letter.y - reach) / Self.cell)...Int((letter.y + reach) / Self.cell) {
        for column in columns {
          for index in cells[Self.key(column, row)] ?? [] where body(index) { return }
        }
      }
    }
  }

  /// Returns every connected area with the shape of a letter. Clears the map.
  private static func letters(in map: inout TextMap) -> [Letter] {
    var (letters, pixels): ([Letter], [Int]) = ([], [])
    let (width, height) = (map.width, map.height)
    for start in map.bytes.indices where map.bytes[start] != 0 {
      pixels.removeAll(keepingCapacity: true)
      pixels.append(start)
      map.bytes[start] = 0
      var (left, right, top, bottom) = (width, 0, height, 0)
      var next = 0
      while next < pixels.count {
        let (x, y) = (pixels[next] % width, pixels[next] / width)
        next += 1
        (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
        for (column, row) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        where column >= 0 && column < width && row >= 0 && row < height {
          let index = row * width + column
          if map.bytes[index] != 0 {
            map.bytes[index] = 0
            pixels.append(index)
          }
        }
      }
      let (across, down) = (right - left + 1, bottom - top + 1)
      if isLetter(across, down, pixels.count) {
        letters.append(
          Letter(
            x: Double(left + right) / 2, y: Double(top + bottom) / 2, width: Double(across),
            height: Double(down)))
      }
      if letters.count == 50_000 { break }
    }
    return letters
  }

  private static func isLetter(_ width: Int, _ height: Int, _ area: Int) -> Bool {
    let (long, short) = (max(width, height), min(width, height))
    return (6...largest).contains(long) && short >= 2 && long <= short * 8
      && area * 100 >= width * height * 15
      && area * 100 <= width * height * 92
  }

  /// Returns the letters that are not enclosed by a letter of the opposite contrast: the inside of an `o` is no letter.
  private static func outside(_ letters: [Letter], of others: [Letter]) -> [Letter] {
    let grid = Grid(others)
    return letters.filter { letter in
      var isInside = false
      grid.near(letter, reach: Double(largest) / 2) { index in
        isInside = others[index].holds(letter)
        return isInside
      }
      return !isInside
    }
  }

  /// Returns the letters with at least two others of similar size beside them.
  private static func inCompany(_ letters: [Letter]) -> [Letter] {
    let grid = Grid(letters)
    return letters.enumerated().filter { number, letter in
      let reach = 2.2 * letter.size
      var company = 0
      grid.near(letter, reach: reach) { index in
        let other = letters[index]
        let isNear = abs(other.x - letter.x) <= reach && abs(other.y - letter.y) <= reach
        if index != number, isNear, (0.6...1.7).contains(other.size / letter.size) { company += 1 }
        return company == 2
      }
      return company == 2
    }.map(\.element)
  }
}

/// Finds the pixels that are darker or lighter than the mean around them.
private enum Contrast {
  /// The radius of the square around a pixel over which the mean is taken, pixels.
  private static let radius = 24

  /// Compares each pixel with the mean around it.
  /// - Parameter luma: rows without padding.
  /// - Returns: two maps, with 255 where a pixel is darker or lighter by at least `LetterMeasure.leastContrast`, and 0 elsewhere.
  static func maps(_ luma: [UInt8], width: Int, height: Int) -> (dark: TextMap, light: TextMap) {
    var (dark, light) = (TextMap(width: width, height: height), TextMap(width: width, height: height))
    let sums = sums(luma, width, height)
    let columns = width + 1
    for y in 0..<height {
      let (top, bottom) = (max(0, y - radius) * columns, min(height, y + radius + 1) * columns)
      let rows = (bottom - top) / columns
      for x in 0..<width {
        let (left, right) = (max(0, x - radius), min(width, x + radius + 1))
        let sum = sums[bottom + right] &- sums[top + right] &- sums[bottom + left] &+ sums[top + left]
        let index = y * width + x
        let difference = Int(sum) / (rows * (right - left)) - Int(luma[index])
        if difference >= LetterMeasure.leastContrast { dark.bytes[index] = 255 }
        if -difference >= LetterMeasure.leastContrast { light.bytes[index] = 255 }
      }
    }
    return (dark, light)
  }

  /// Returns the summed-area table, with a row and a column of zeros in front. The sums wrap around at 32 bits; their differences
  /// are right nevertheless.
  private static func sums(_ luma: [UInt8], _ width: Int, _ height: Int) -> [UInt32] {
    var sums = [UInt32](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row: UInt32 = 0
      for x in 0..<width {
        row &+= UInt32(luma[y * width + x])
        sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] &+ row
      }
    }
    return sums
  }
}
