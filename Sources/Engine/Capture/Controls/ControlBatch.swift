/// Values for the device, gathered so that they are one request.
struct ControlBatch {
  struct Entry {
    let control: CameraControl
    /// What the device is asked.
    let value: CameraControlValue
    let note: CameraControlResult.Note
    /// Which of the results it answers; nil for what belongs to another value.
    let place: Int?
  }

  private(set) var entries: [Entry] = []

  /// A value that is there already is overruled.
  mutating func add(
    _ control: CameraControl, _ value: CameraControlValue, note: CameraControlResult.Note = .exact,
    place: Int? = nil
  ) {
    entries.removeAll { $0.control == control && $0.place == nil }
    entries.append(Entry(control: control, value: value, note: note, place: place))
  }

  /// Modes come before the values that need them.
  var inOrder: [Entry] { entries.filter(\.isMode) + entries.filter { !$0.isMode } }
}

extension ControlBatch.Entry {
  fileprivate var isMode: Bool { control.isMode || control == .exposureLock }
}

extension CameraControl {
  /// It decides who chooses the values of others.
  var isMode: Bool { [.exposureMode, .whiteBalanceMode, .focusMode].contains(self) }
}
