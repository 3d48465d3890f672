import Glibc

package struct FittedValue: Hashable, Sendable {
  /// The value that the control can take; nil if it can take no value of that type.
  package var value: CameraControlValue?
  /// The relation of the value to the requested one.
  package var note = CameraControlResult.Note.exact
  /// The reason in one sentence if there is no value; otherwise nil.
  package var refusal: String?
}

extension CameraControlCapability {
  /// The possible value nearest to the requested one.
  package func fitted(_ value: CameraControlValue) -> FittedValue {
    if let absence { return refused(absence) }
    if isReadOnly { return refused("it can only be read") }
    switch value {
    case .number(let number): return fitted(number)
    case .choice(let choice):
      guard let choices else {
        return refused("it takes no word such as '\(choice)'; `controls list` shows its values")
      }
      if choices.contains(choice) { return FittedValue(value: value) }
      return refused("it has no value '\(choice)'; choose one of \(choices.joined(separator: ", "))")
    case .flag:
      return range == nil && choices == nil
        ? FittedValue(value: value) : refused("it is no switch; `controls list` shows its values")
    case .point(let x, let y):
      guard x.isFinite, y.isFinite else { return refused("a point must be two numbers from 0 to 1") }
      let inside = CameraControlValue.point(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
      return FittedValue(value: inside, note: inside == value ? .exact : .clamped)
    }
  }

  private func refused(_ reason: String) -> FittedValue {
    FittedValue(note: .refused, refusal: "cannot set \(control): \(reason)")
  }

  private func fitted(_ number: Double) -> FittedValue {
    guard number.isFinite else { return refused("it takes a finite number") }
    if let values, let nearest = values.min(by: { abs($0 - number) < abs($1 - number) }) {
      let isOutside = number < values[0] || number > values[values.count - 1]
      let note: CameraControlResult.Note = isSame(nearest, number) ? .exact : isOutside ? .clamped : .rounded
      return FittedValue(value: .number(nearest), note: note)
    }
    guard let range else { return refused("it takes no number; `controls list` shows its values") }
    let inside = min(max(number, range.lowerBound), range.upperBound)
    let stepped = onStep(inside, in: range)
    let note: CameraControlResult.Note =
      inside != number ? .clamped : isSame(stepped, number) ? .exact : .rounded
    return FittedValue(value: .number(stepped), note: note)
  }

  private func onStep(_ number: Double, in range: ClosedRange<Double>) -> Double {
    guard let step, step > 0, step.isFinite else { return number }
    let count = ((number - range.lowerBound) / step).rounded()
    guard count.isFinite else { return number }
    var stepped = range.lowerBound + count * step
    // Remove the rounding error: 200 steps of 1/10,000 are exactly 0.02.
    let inverse = (1 / step).rounded()
    if inverse >= 1, abs(1 / step - inverse) < inverse * 1e-6 {
      let whole = (stepped * inverse).rounded() / inverse
      if abs(whole - stepped) < step * 1e-6 { stepped = whole }
    }
    // If the range does not end on a whole step, take the last whole step.
    return stepped > range.upperBound + step * 1e-6 ? stepped - step : min(stepped, range.upperBound)
  }

  /// Whether the device treats two numbers as equal: they differ by at most a hundredth of a step, or a millionth of themselves.
  package func isSame(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= max((step ?? 0) / 100, max(abs(left), abs(right)) * 1e-6)
  }

  /// Whether the device treats two values as equal.
  package func isSame(_ left: CameraControlValue, _ right: CameraControlValue) -> Bool {
    if case .number(let left) = left, case .number(let right) = right { return isSame(left, right) }
    return left == right
  }

  /// The greatest possible number that is not above `number`; the least possible one if all are above it.
  package func floor(_ number: Double) -> Double {
    if let values { return values.last { $0 <= number * (1 + 1e-9) } ?? values.first ?? number }
    guard let range else { return number }
    let inside = min(max(number, range.lowerBound), range.upperBound)
    guard let step, step > 0 else { return inside }
    return range.lowerBound + Glibc.floor((inside - range.lowerBound) / step + 1e-6) * step
  }
}
