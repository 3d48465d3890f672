@testable import Dock

extension FuzzTarget {
  static let docks = [buttons]

  /// Reads the bytes as events of an input device. No event may request more zoom than a wheel can.
  private static let buttons = FuzzTarget(
    name: "buttons",
    seeds: [
      [UInt8](repeating: 0, count: 16) + [1, 0, 0xD4, 0, 1, 0, 0, 0],
      [UInt8](repeating: 0, count: 16) + [2, 0, 8, 0, 0xFF, 0xFF, 0xFF, 0xFF],
    ]
  ) { input in
    let events = InputEvent.events(in: input)
    hold(events.count == input.count / InputEvent.size, "\(events.count) events of \(input.count) bytes")
    var rules = ButtonRules()
    for event in events {
      if case .zoom(let steps)? = rules.meaning(of: event) {
        hold(steps != 0 && abs(steps) <= 10, "\(steps) steps")
      }
    }
  }
}
