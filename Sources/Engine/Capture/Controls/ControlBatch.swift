/// Values for the device, collected for one request.
struct ControlBatch {
  struct Entry {
    let control: CameraControl
    let value: CameraControlValue
    let note: CameraControlResult.Note
    /// The index of the result that this entry completes; nil for an entry that was added because another value needs it.
    let place: Int?
  }

  private(set) var entries: [Entry] = []

  /// Adds a value. It replaces an entry of the same control that was only added because another value needs
  /// it.
  mutating func add(
    _ control: CameraControl, _ value: CameraControlValue, note: CameraControlResult.Note = .exact,
    place: Int? = nil
  ) {
    entries.removeAll { $0.control == control && $0.place == nil }
    entries.append(Entry(control: control, value: value, note: note, place: place))
  }

  /// The entries with modes first, before the values that need them.
  var inOrder: [Entry] { entries.filter(\.isMode) + entries.filter { !$0.isMode } }
}

extension ControlBatch.Entry {
  fileprivate var isMode: Bool { control.isMode || control == .exposureLock }
}

extension CameraControl {
  /// Whether the control decides who sets other values: the user or the device.
  var isMode: Bool { [.exposureMode, .whiteBalanceMode, .focusMode].contains(self) }
}
