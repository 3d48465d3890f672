import Imagery
import Video4Linux

/// The visible effect of a control on the picture.
enum ControlSight {
  /// The picture gets brighter, higher in contrast, or more colourful from the lowest value to the highest.
  case brighter, contrastier, colourful
  case mirrored, upsideDown
  /// Any change, for example to a test pattern.
  case different

  /// - Returns: nil for a control whose effect cannot be proved on a picture of an unknown scene.
  init?(_ id: ControlID) {
    switch id {
    case .brightness, .gain, .exposureTime: self = .brighter
    case .contrast: self = .contrastier
    case .saturation: self = .colourful
    case .horizontalFlip: self = .mirrored
    case .verticalFlip: self = .upsideDown
    case ControlSight.testPattern: self = .different
    default: return nil
    }
  }

  /// `V4L2_CID_TEST_PATTERN`.
  static let testPattern = ControlID(rawValue: 0x009F_0903)

  /// Returns two values that must look different. Nil if there are none.
  static func values(of control: Control) -> (ControlValue, ControlValue)? {
    switch control.kind {
    case .integer(let range): (.integer(range.minimum), .integer(range.nearest(to: range.maximum)))
    case .boolean: (.boolean(false), .boolean(true))
    case .menu(let items, _):
      items.count > 1 ? (.integer(items[0].index), .integer(items[1].index)) : nil
    case .integer64, .button, .bitmask, .string: nil
    }
  }

  enum Outcome: Equatable {
    case seen(String)
    case notSeen(String)
    /// This scene cannot show the effect.
    case unknown(String)
  }

  func judge(_ low: PictureFacts, _ high: PictureFacts) -> Outcome {
    switch self {
    case .brighter: return grown(low.map.mean, high.map.mean, by: 6, what: "brightness", unit: "levels")
    case .contrastier:
      return grown(low.map.deviation, high.map.deviation, by: 4, what: "contrast", unit: "levels")
    case .colourful:
      guard let before = low.colourfulness, let after = high.colourfulness, max(before, after) > 2 else {
        return .unknown("the scene has no colour")
      }
      return grown(before, after, by: 1, what: "colour", unit: "levels")
    case .mirrored: return turned(low, high, expected: Orientation(rotation: .none, isMirrored: true))
    case .upsideDown: return turned(low, high, expected: Orientation(rotation: .half, isMirrored: true))
    case .different:
      let likeness = (low.map.likeness(to: high.map) * 100).rounded() / 100
      return likeness < 0.9 ? .seen("likeness \(likeness)") : .notSeen("the pictures are alike (\(likeness))")
    }
  }

  private func grown(_ before: Double, _ after: Double, by least: Double, what: String, unit: String)
    -> Outcome
  {
    let text = "\(what) from \((before * 10).rounded() / 10) to \((after * 10).rounded() / 10) \(unit)"
    return after >= before + least ? .seen(text) : .notSeen(text)
  }

  private func turned(_ low: PictureFacts, _ high: PictureFacts, expected: Orientation) -> Outcome {
    guard low.map.showsTurns, !low.map.ambiguities.contains(expected) else {
      return .unknown("the scene looks the same both ways")
    }
    let (seen, likeness) = low.map.orientation(to: high.map, expecting: expected)
    let text = "\(seen), likeness \((likeness * 100).rounded() / 100)"
    if likeness < 0.5 { return .unknown("the scene changed (\(text))") }
    return seen == expected ? .seen(text) : .notSeen("the picture is turned \(text)")
  }
}
