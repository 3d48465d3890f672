/// The choice of a high dynamic range, by AVFoundation's rule: a range that the device chooses automatically is never set manually.
///
/// | log requested | log supported | automatic | manual |
/// |---|---|---|---|
/// | no | no | yes | untouched |
/// | no | yes | yes | untouched |
/// | yes | no | yes | untouched |
/// | yes | yes | no | on |
public struct DynamicRangeChoice: Hashable, Sendable {
  /// Whether the device chooses by itself.
  public let isAutomatic: Bool
  /// The value for `wide-dynamic-range`; nil if it must not be set.
  public let wideDynamicRange: Bool?

  /// - Parameters:
  ///   - isLogWished: whether a log format was requested.
  ///   - isLogSupported: whether the camera has a log format.
  public init(isLogWished: Bool, isLogSupported: Bool) {
    isAutomatic = !(isLogWished && isLogSupported)
    wideDynamicRange = isAutomatic ? nil : true
  }
}
