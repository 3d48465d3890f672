import Glibc

/// A value as a control can have it.
package struct FittedValue: Hashable, Sendable {
  /// Nil where it can have nothing of the kind.
  package var value: CameraControlValue?
  /// How it differs from what was asked.
  package var note = CameraControlResult.Note.exact
  /// One sentence, where there is no value.
  package var refusal: String?
}

extension CameraControlCapability {
  /// The value that this control can have, nearest to the one that is asked.
  package func fitted(_ value: CameraControlValue) -> FittedValue {
    if let absence { return refused(absence) }
    if isReadOnly { return refused("it can only be read") }
    switch value {
    case .number(let number): return fitted(number)
    case .choice(let choice):
      guard let choices else { return refused("it takes no word, and '\(choice)' is one") }
      if choices.contains(choice) { return FittedValue(value: value) }
      return refused("it has no '\(choice)'; choose of \(choices.joined(separator: ", "))")
    case .flag:
      return range == nil && choices == nil ? FittedValue(value: value) : refused("it is not on or off")
    case .point(let x, let y):
      guard x.isFinite, y.isFinite else { return refused("a point has two numbers from 0 to 1") }
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
    guard let range else { return refused("it takes no number") }
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
    // 200 steps of 1/10,000 are 0.02, as a person would write it.
    let inverse = (1 / step).rounded()
    if inverse >= 1, abs(1 / step - inverse) < inverse * 1e-6 {
      let whole = (stepped * inverse).rounded() / inverse
      if abs(whole - stepped) < step * 1e-6 { stepped = whole }
    }
    // The last whole step, where the range does not end with one.
    return stepped > range.upperBound + step * 1e-6 ? stepped - step : min(stepped, range.upperBound)
  }

  /// Whether two numbers are one to the device: a hundredth of a step apart, or a millionth of themselves.
  package func isSame(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= max((step ?? 0) / 100, max(abs(left), abs(right)) * 1e-6)
  }

  /// Whether two values are one to the device.
  package func isSame(_ left: CameraControlValue, _ right: CameraControlValue) -> Bool {
    if case .number(let left) = left, case .number(let right) = right { return isSame(left, right) }
    return left == right
  }

  /// The greatest number that is no greater; the least there is below that.
  package func floor(_ number: Double) -> Double {
    if let values { return values.last { $0 <= number * (1 + 1e-9) } ?? values.first ?? number }
    guard let range else { return number }
    let inside = min(max(number, range.lowerBound), range.upperBound)
    guard let step, step > 0 else { return inside }
    return range.lowerBound + Glibc.floor((inside - range.lowerBound) / step + 1e-6) * step
  }
}
