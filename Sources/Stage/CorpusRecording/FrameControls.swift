import Imagery

/// The camera's settings during the exposure of a frame, as events of a corpus: integers in a unit that is part of the name. Only changes since the
/// frame before are returned.
struct FrameControls {
  /// The value last returned for each name; at first the value that applies to frames without events.
  private var told: [String: Int64] = [
    "zoom-permille": 1000, "digital-zoom-permille": 1000, "digital-exposure-bias-mev": 0, "settled": 1,
  ]

  /// Returns the events that must precede a frame.
  mutating func changes(to settings: FrameSettings) -> [(name: String, value: Int64)] {
    let all: [(String, Double?)] = [
      ("exposure-duration-ns", settings.exposureDuration.map { $0 * 1e9 }), ("iso", settings.iso),
      ("exposure-bias-mev", settings.exposureBias.map { $0 * 1000 }),
      ("white-balance-temperature", settings.whiteBalanceTemperature),
      ("lens-position-ppm", settings.lensPosition.map { $0 * 1e6 }),
      ("zoom-permille", settings.zoom.map { $0 * 1000 }),
      ("digital-zoom-permille", settings.digitalZoom * 1000),
      ("digital-exposure-bias-mev", settings.digitalExposureBias * 1000),
      ("settled", settings.isSettled ? 1 : 0),
    ]
    var changes: [(name: String, value: Int64)] = []
    for (name, number) in all {
      // Devices report arbitrary values.
      guard let number, abs(number) < 1e15 else { continue }
      let value = Int64(number.rounded())
      guard told[name] != value else { continue }
      told[name] = value
      changes.append((name, value))
    }
    return changes
  }
}
