/// A differential flame graph. The width of a function is the number of instructions of the function and of
/// all that it calls; its caller is above it. Functions that take more are hatched, those that take less are
/// dashed, and each shows its change, so that no information is in colour alone.
struct FlameDrawing {
  let frames: [CallFrame]
  let title: String

  private static let (left, right, top, row) = (2.0, 718.0, 22.0, 20.0)
  /// The width of a character at the size of the text.
  private static let character = 6.7
  /// The number of levels to draw. Deeper calls are in the report only.
  private static let mostDepth = 24

  /// - Returns: nil if there is nothing to draw.
  init?(_ frames: [CallFrame]?, title: String) {
    self.frames = (frames ?? []).filter { Self.isDrawable($0) }.prefix(CallFrame.limit).map { $0 }
    self.title = title
    let top = self.frames.filter { $0.depth == 0 }
    let width: KeyPath<CallFrame, Double> = top.reduce(0) { $0 + $1.new - $1.base } < 0 ? \.base : \.new
    self.width = width
    whole = self.frames.map { $0.start + $0[keyPath: width] }.max() ?? 0
    // Less than an instruction is nothing to draw, and too little to divide by.
    guard whole >= 1 else { return nil }
  }

  /// The member of a frame that gives its width: its instructions in the build that takes more instructions.
  private let width: KeyPath<CallFrame, Double>
  private let whole: Double

  /// A report from outside may contain any numbers.
  private static func isDrawable(_ frame: CallFrame) -> Bool {
    [frame.start, frame.base, frame.new].allSatisfy { $0.isFinite && $0 >= 0 && $0 < 1e15 }
      && (0..<mostDepth).contains(frame.depth)
  }

  var svg: String {
    let depth = (frames.map(\.depth).max() ?? 0) + 1
    let height = Self.top + Self.row * Double(depth) + 4
    return """
      <svg class="flames" viewBox="0 0 720 \(point(height))" role="img" aria-label="\(HTMLText.escape(label))">
      <text class="tick" x="\(point(Self.left))" y="13">instructions by who calls whom: hatched takes more, dashed takes less</text>
      \(frames.map(box).joined(separator: "\n"))
      </svg>
      """
  }

  private var label: String {
    let grown = frames.filter { change($0) != nil }.sorted { abs($0.new - $0.base) > abs($1.new - $1.base) }
    let names = grown.prefix(5).map { "\($0.name) \(change($0) ?? "")" }
    return "\(title), who calls whom: " + (names.isEmpty ? "nothing changed" : names.joined(separator: ", "))
  }

  private func box(_ frame: CallFrame) -> String {
    let scale = (Self.right - Self.left) / whole
    let (x, width) = (Self.left + frame.start * scale, max(1, frame[keyPath: self.width] * scale - 1))
    let y = Self.top + Self.row * Double(frame.depth)
    let change = change(frame)
    let kind = change == nil ? "" : frame.new > frame.base ? " more" : " less"
    let figures =
      "\(frame.name): \(Figure.text(frame.new, .count)), was \(Figure.text(frame.base, .count))"
    return
      "<g><title>\(HTMLText.escape(figures))</title><rect class=\"flame\(kind)\" x=\"\(point(x))\" y=\"\(point(y))\" "
      + "width=\"\(point(width))\" height=\"\(point(Self.row - 2))\"/>\(words(frame.name, change, x, width, y))</g>"
  }

  /// The label of a function: its change, and then as much of its name as fits.
  private func words(_ name: String, _ change: String?, _ x: Double, _ width: Double, _ y: Double) -> String {
    let room = Int((width - 6) / Self.character)
    let text = change.map { "\($0) \(name)" } ?? name
    guard room >= 3 else { return "" }
    let shown = text.count <= room ? text : text.prefix(room - 1) + "…"
    return "<text x=\"\(point(x + 3))\" y=\"\(point(y + 13))\">\(HTMLText.escape(String(shown)))</text>"
  }

  /// The change of a function, such as `+12 %`, `new` or `gone`. Nil if it is less than a thousandth of the
  /// whole.
  private func change(_ frame: CallFrame) -> String? {
    guard abs(frame.new - frame.base) > whole / 1000 else { return nil }
    if frame.base == 0 { return "new" }
    return frame.new == 0 ? "gone" : Figure.change(frame.new / frame.base)
  }
}
