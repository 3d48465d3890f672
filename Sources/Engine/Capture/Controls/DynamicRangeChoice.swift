/// How high dynamic range is set: by the rule of AVFoundation, that a range which the device chooses by itself is never set by hand.
///
/// | log wished | log there | automatic | by hand |
/// |---|---|---|---|
/// | no | no | yes | untouched |
/// | no | yes | yes | untouched |
/// | yes | no | yes | untouched |
/// | yes | yes | no | on |
public struct DynamicRangeChoice: Hashable, Sendable {
  /// The device chooses by itself.
  public let isAutomatic: Bool
  /// What `wide-dynamic-range` is set to; nil: it must not be touched.
  public let wideDynamicRange: Bool?

  /// - Parameters:
  ///   - isLogWished: a log format was asked for.
  ///   - isLogSupported: and the camera has one.
  public init(isLogWished: Bool, isLogSupported: Bool) {
    isAutomatic = !(isLogWished && isLogSupported)
    wideDynamicRange = isAutomatic ? nil : true
  }
}
