import Video4Linux

/// A control of the device with the rule that maps it to a control of the engine.
struct V4L2MappedControl {
  let rule: V4L2ControlRule
  let source: Control
  /// The engine's words for the menu items that the device offers, by the index of the item; empty for other kinds of control.
  private let words: [Int64: String]

  /// The ratio of the greatest sensitivity to the least, minus 1. Assumed if the least gain is zero, because its amplification is then unknown.
  private static let gainSpan = 15.0

  /// Nil if the device's control has another type than the rule expects.
  init?(_ rule: V4L2ControlRule, _ source: Control) {
    self.rule = rule
    self.source = source
    switch (rule.form, source.kind) {
    case (.number, .integer), (.number, .integer64), (.gain, .integer), (.reversedShare, .integer):
      words = [:]
    case (.multiple, .integer(let range)): if range.minimum > 0 { words = [:] } else { return nil }
    case (.flag, .boolean), (.words, .boolean), (.status, .bitmask): words = [:]
    case (.bit(let bit), .bitmask(let mask, _)): if Int64(mask) & bit != 0 { words = [:] } else { return nil }
    case (.menuOfNumbers, .menu(let items, _)) where items.contains { $0.label.number != nil }: words = [:]
    case (.menu(let names), .menu(let items, _)):
      var words = names.filter { name in items.contains { $0.index == name.key } }
      // `uvcvideo` calls a webcam's automatic exposure "aperture priority", because a webcam has no aperture to set.
      if rule.control == .exposureMode, words[0] == nil, words[3] != nil { words[3] = "auto" }
      self.words = words
    default: return nil
    }
  }

  private var range: ControlRange? {
    switch source.kind {
    case .integer(let range), .integer64(let range): range
    case .boolean, .menu, .button, .bitmask, .string: nil
    }
  }

  // MARK: Capability

  var capability: CameraControlCapability {
    var capability = CameraControlCapability(rule.control)
    capability.unit = rule.unit
    capability.origin = rule.origin
    capability.isVolatile = rule.isVolatile
    capability.isReadOnly = source.flags.contains(.readOnly)
    capability.isVolatile = rule.isVolatile || source.flags.contains(.volatile)
    capability.isInactive = source.flags.contains(.inactive)
    if let range {
      let ends = [number(range.minimum), number(range.maximum)].compactMap { $0 }.sorted()
      if ends.count == 2, ends[0] <= ends[1] { capability.range = ends[0]...ends[1] }
      if range.maximum > range.minimum, let width = capability.range.map({ $0.upperBound - $0.lowerBound }) {
        capability.step = width * Double(range.step) / (Double(range.maximum) - Double(range.minimum))
      }
    }
    if case .menu(let items, _) = source.kind {
      let numbers = items.compactMap { number($0.index) }.sorted()
      if let first = numbers.first, let last = numbers.last {
        capability.values = numbers
        capability.range = first...last
      }
    }
    capability.choices = choices
    capability.defaultValue = defaultValue.flatMap(value(of:))
    return capability
  }

  private var choices: [String]? {
    switch rule.form {
    case .words(let on, let off): [on, off]
    case .menu: words.sorted { $0.key < $1.key }.map(\.value)
    case .status(let states): states.map(\.word)
    case .number, .multiple, .menuOfNumbers, .flag, .reversedShare, .gain, .bit: nil
    }
  }

  private var defaultValue: ControlValue? {
    switch source.kind {
    case .integer(let range), .integer64(let range): .integer(range.defaultValue)
    case .boolean(let isOn): .boolean(isOn)
    case .menu(_, let index): .integer(index)
    case .bitmask(_, let bits): .integer(Int64(bits))
    case .button, .string: nil
    }
  }

  // MARK: Numbers

  private func number(_ raw: Int64) -> Double? {
    switch rule.form {
    case .number(let scale):
      // Divide if the inverse is whole: 83 units of 100 µs are then exactly 0.0083 s, while the product would be rounded.
      let inverse = (1 / scale).rounded()
      return abs(1 / scale - inverse) < inverse * 1e-9 ? Double(raw) / inverse : Double(raw) * scale
    case .multiple: return range.map { Double(raw) / Double($0.minimum) }
    case .reversedShare:
      guard let range, range.maximum > range.minimum else { return nil }
      return 1 - (Double(raw) - Double(range.minimum)) / (Double(range.maximum) - Double(range.minimum))
    case .gain: return range.map { Self.iso(raw, $0) }
    case .menuOfNumbers(let scale):
      guard case .menu(let items, _) = source.kind else { return nil }
      return items.first { $0.index == raw }?.label.number.map { Double($0) * scale }
    case .flag, .words, .menu, .bit, .status: return nil
    }
  }

  /// The ISO sensitivity of a gain, which is assumed to be linear. If the least gain is above zero, it counts as ISO 100, and twice the gain is
  /// twice the sensitivity. If the least gain is zero, the whole range is assumed to be four steps of exposure: ISO 100 to 1600.
  private static func iso(_ raw: Int64, _ range: ControlRange) -> Double {
    if range.minimum > 0 { return 100 * Double(raw) / Double(range.minimum) }
    let width = max(1, Double(range.maximum) - Double(range.minimum))
    return 100 * (1 + gainSpan * (Double(raw) - Double(range.minimum)) / width)
  }

  private func raw(_ number: Double) -> Int64? {
    guard number.isFinite else { return nil }
    func whole(_ value: Double) -> Int64? { range.map { $0.nearest(to: Int64(clamping: value)) } }
    switch rule.form {
    case .number(let scale): return whole((number / scale).rounded())
    case .multiple: return range.flatMap { whole((number * Double($0.minimum)).rounded()) }
    case .reversedShare:
      return range.flatMap { range in
        let width = Double(range.maximum) - Double(range.minimum)
        return whole((Double(range.minimum) + (1 - number) * width).rounded())
      }
    case .gain:
      return range.flatMap { range in
        if range.minimum > 0 { return whole((number / 100 * Double(range.minimum)).rounded()) }
        let width = max(1, Double(range.maximum) - Double(range.minimum))
        return whole((Double(range.minimum) + (number / 100 - 1) / Self.gainSpan * width).rounded())
      }
    case .menuOfNumbers:
      guard case .menu(let items, _) = source.kind else { return nil }
      let known = items.compactMap { item in self.number(item.index).map { (index: item.index, number: $0) } }
      return known.min { abs($0.number - number) < abs($1.number - number) }?.index
    case .flag, .words, .menu, .bit, .status: return nil
    }
  }

  // MARK: Values

  /// The engine's value for a value of the device; nil if the device's value is invalid.
  func value(of raw: ControlValue) -> CameraControlValue? {
    switch (rule.form, raw) {
    case (.flag, .boolean(let isOn)): return .flag(isOn)
    case (.words(let on, let off), .boolean(let isOn)): return .choice(isOn ? on : off)
    case (.menu, .integer(let index)): return words[index].map { .choice($0) }
    case (.bit(let bit), .integer(let bits)): return .flag(bits & bit != 0)
    case (.status(let states), .integer(let bits)):
      return states.first { $0.bit == 0 || bits & $0.bit != 0 }.map { .choice($0.word) }
    case (_, .integer(let raw)): return number(raw).map { .number($0) }
    default: return nil
    }
  }

  /// The device's value for a value of the engine.
  /// - Parameter present: the present value of the device's control, for a control that is one bit of it.
  func raw(of value: CameraControlValue, present: ControlValue?) -> ControlValue? {
    switch (rule.form, value) {
    case (.flag, .flag(let isOn)): return .boolean(isOn)
    case (.words(let on, let off), .choice(let word)):
      return word == on ? .boolean(true) : word == off ? .boolean(false) : nil
    case (.menu, .choice(let word)): return words.first { $0.value == word }.map { .integer($0.key) }
    case (.bit(let bit), .flag(let isOn)):
      guard case .integer(let bits)? = present else { return nil }
      return .integer(isOn ? bits | bit : bits & ~bit)
    case (_, .number(let number)): return raw(number).map { .integer($0) }
    default: return nil
    }
  }
}

extension ControlMenuItem.Label {
  fileprivate var number: Int64? { if case .value(let number) = self { number } else { nil } }
}

extension Int64 {
  /// The integer nearest to `value`, within the range of `Int64`.
  init(clamping value: Double) {
    self = value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
