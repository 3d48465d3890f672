import Capture
import Console

/// A line in the list of controls: name, value, accepted values. A text that does not fit into 80 columns
/// continues below, in its own column.
struct ControlLine {
  let capability: CameraControlCapability
  let value: CameraControlValue?

  private static let columns = 80
  private static let (nameWidth, valueWidth) = (28, 16)

  var text: String {
    let name = capability.control.rawValue
    if let absence = capability.absence {
      return Self.hung(name, under: Self.nameWidth, Self.words("absent: \(absence)"))
    }
    let unit = capability.unit.rawValue
    let shown = value.map { ControlNumber.text($0, capability) + (unit.isEmpty ? "" : " \(unit)") } ?? "–"
    let head = "\(Self.column(name, Self.nameWidth))\(shown)"
    return Self.hung(head, under: Self.nameWidth + Self.valueWidth, Self.words(takes))
  }

  /// Returns a text padded to a width, with at least one space.
  private static func column(_ text: String, _ width: Int) -> String {
    (text.count < width ? text : text + " ").padded(to: width)
  }

  /// Returns words after a head. Further lines are indented to `indent`.
  private static func hung(_ head: String, under indent: Int, _ words: [String]) -> String {
    guard !words.isEmpty else { return head }
    var (lines, isFresh) = ([column(head, indent)], true)
    for word in words {
      let last = lines[lines.count - 1]
      if !isFresh, last.count + word.withoutTrailingSpaces.count > columns {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] = last + word
      }
      isFresh = false
    }
    return lines.map { $0.withoutTrailingSpaces }.joined(separator: "\n")
  }

  /// Splits a text where a line may be broken: after a space, and between choices.
  private static func words(_ text: String) -> [String] {
    var words = [""]
    for character in text {
      words[words.count - 1].append(character)
      if character == " " || character == "|" { words.append("") }
    }
    return words.filter { !$0.isEmpty }
  }

  private var takes: String {
    var words: [String] = []
    if let choices = capability.choices { words.append(choices.joined(separator: "|")) }
    if let values = capability.values {
      words.append(values.map { ControlNumber.text($0, capability) }.joined(separator: "|"))
    } else if let range = capability.range {
      let (low, high) = (
        ControlNumber.text(range.lowerBound, capability), ControlNumber.text(range.upperBound, capability)
      )
      words.append("\(low)…\(high)" + (capability.step.map { " by \(ControlNumber.text($0))" } ?? ""))
    }
    if capability.isReadOnly { words.append("read only") }
    if capability.isInactive { words.append("inactive now") }
    switch capability.origin {
    case .device: break
    case .software: words.append("software")
    case .mapped(let other): words.append("by \(other)")
    }
    return words.joined(separator: ", ")
  }
}

extension String {
  fileprivate var withoutTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
