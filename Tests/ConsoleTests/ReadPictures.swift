/// A picture that is decoded from kitty's graphics protocol as a terminal does it.
struct ReadKitty {
  private(set) var keys: [String: String] = [:]
  private(set) var bytes: [UInt8] = []
  /// Whether every piece has at most 4,096 bytes, and every piece but the last has a multiple of four.
  private(set) var isWholePieces = true

  init?(_ sent: [UInt8]) {
    var rest = String(decoding: sent, as: UTF8.self)[...]
    var (data, isEnded) = ("", false)
    while rest.hasPrefix("\u{1B}_G") {
      rest = rest.dropFirst(3)
      guard !isEnded, let semicolon = rest.firstIndex(of: ";"), let end = rest.firstIndex(of: "\u{1B}") else {
        return nil
      }
      var own: [String: String] = [:]
      for pair in rest[..<semicolon].split(separator: ",") {
        let parts = pair.split(separator: "=")
        own[String(parts[0])] = String(parts[1])
      }
      let piece = rest[rest.index(after: semicolon)..<end]
      isEnded = own["m"] == "0"
      if piece.utf8.count > 4096 || !isEnded && piece.utf8.count % 4 != 0 { isWholePieces = false }
      keys.merge(own) { first, _ in first }
      data += piece
      rest = rest[end...].dropFirst(2)
    }
    guard isEnded, rest == "\r\n" else { return nil }
    bytes = Self.decoded(data)
  }

  private static func decoded(_ text: String) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var (bits, count, bytes) = (0, 0, [UInt8]())
    for letter in text {
      guard let value = letters.firstIndex(of: letter) else { continue }
      (bits, count) = (bits << 6 | value, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
      }
    }
    return bytes
  }
}

/// A picture that is decoded from sixels as a terminal does it.
struct ReadSixel {
  private(set) var width = 0
  private(set) var height = 0
  /// The red, green and blue of each pixel, in percent; empty if the pixel was not painted.
  private(set) var pixels: [[Int]] = []

  private var colors: [Int: [Int]] = [:]
  private var (color, x, top) = (0, 0, 0)

  init?(_ sent: [UInt8]) {
    let (start, end) = (Array("\u{1B}P0;1;0q".utf8), Array("\u{1B}\\\r\n".utf8))
    guard sent.starts(with: start), sent.suffix(end.count).elementsEqual(end) else { return nil }
    var rest = sent[start.count..<(sent.count - end.count)].map { Character(Unicode.Scalar($0)) }[...]
    while let command = rest.popFirst() {
      let takes = "\"#!".contains(command)
      let end = takes ? rest.firstIndex { !$0.isNumber && $0 != ";" } ?? rest.endIndex : rest.startIndex
      let numbers = rest[..<end].split(separator: ";").compactMap { Int(String($0)) }
      rest = rest[end...]
      switch command {
      case "\"":
        guard numbers.count == 4 else { return nil }
        (width, height) = (numbers[2], numbers[3])
        pixels = Array(repeating: [], count: width * height)
      case "#":
        guard let number = numbers.first, number < 256 else { return nil }
        color = number
        if numbers.count == 5 {
          colors[number] = Array(numbers[2...])
        } else if colors[number] == nil {
          return nil
        }
      case "!":
        guard let sixel = rest.popFirst(), let count = numbers.first, paint(sixel, count) else { return nil }
      case "$": x = 0
      case "-": (x, top) = (0, top + 6)
      default: guard paint(command, 1) else { return nil }
      }
    }
  }

  /// Paints a sixel, which is six pixels high, `count` times side by side.
  /// - Returns: false if the sixel lies outside the picture.
  private mutating func paint(_ sixel: Character, _ count: Int) -> Bool {
    guard let code = sixel.asciiValue, (63...126).contains(code) else { return false }
    for _ in 0..<count {
      for row in 0..<6 where (code - 63) >> UInt8(row) & 1 == 1 {
        guard x < width, top + row < height else { return false }
        pixels[(top + row) * width + x] = colors[color] ?? []
      }
      x += 1
    }
    return true
  }
}
