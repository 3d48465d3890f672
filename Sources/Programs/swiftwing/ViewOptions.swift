import Capture
import Imagery

/// The options of `swiftwing view`. Their help text is in `swiftwing-tool`, which knows all commands.
struct ViewOptions {
  /// The source. Nil for the default source.
  var source: String?
  /// The number of pictures after which the program ends. Nil for never.
  var frameLimit: Int?
  /// The size of the surface in memory, by default 1280×720; or the size of the display's mode, by default that of the display's preferred
  /// mode.
  var size: PixelSize?
  /// The card of a display, such as `/dev/dri/card0`. Nil to draw to memory.
  var display: String?
  var isJSON = false
  /// Whether to print the debug overlay once a second.
  var showsOverlay = false
  /// The motion sensor by which pictures are rotated with the device. Nil for none.
  var motion: MotionRequest?
  /// The `.cube` file of the look that is applied to the pictures. Nil for none.
  var look: String?

  /// The file of a trace. Nil for none.
  var trace: String?

  struct UsageError: Error { let text: String }

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var seen: [String] = []
    while let word = rest.popFirst() {
      let option = ViewOptions.name(word, &rest)
      guard !seen.contains(option) else {
        throw UsageError(text: "\(option.prefix(60)) may not be repeated; see `swiftwing view --help`")
      }
      seen.append(option)
      switch option {
      case "--source": source = try ViewOptions.value(of: option, &rest)
      case "--frames": frameLimit = try ViewOptions.count(option, &rest)
      case "--size": size = try ViewOptions.size(option, &rest)
      case "--display": display = try ViewOptions.value(of: option, &rest)
      case "--motion": motion = try ViewOptions.motion(option, &rest)
      case "--look": look = try ViewOptions.value(of: option, &rest)
      case "--trace": trace = try ViewOptions.value(of: option, &rest)
      case "--json" where option == word: isJSON = true
      case "--overlay" where option == word: showsOverlay = true
      default:
        throw UsageError(
          text: "view has no option \(word.prefix(60)); see `swiftwing view --help`")
      }
    }
  }

  /// The option's name. The text after `=` is pushed back as the next word.
  private static func name(_ word: String, _ rest: inout ArraySlice<String>) -> String {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return word }
    rest = [String(word[word.index(after: equals)...])] + rest
    return String(word[..<equals])
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String
  {
    guard let value = rest.popFirst() else {
      throw UsageError(text: "\(option) needs a value; see `swiftwing view --help`")
    }
    return value
  }

  private static func count(_ option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> Int {
    let text = try value(of: option, &rest)
    guard let count = Int(text), count > 0 else {
      throw UsageError(text: "\(option) \(text.prefix(40)) is not a number above zero")
    }
    return count
  }

  private static func motion(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> MotionRequest {
    let text = try value(of: option, &rest)
    guard let request = MotionRequest(text) else {
      throw UsageError(text: "\(option) \(text.prefix(40)) is not iio or iio:NAME")
    }
    return request
  }

  private static func size(_ option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> PixelSize
  {
    let text = try value(of: option, &rest)
    guard let size = PixelSize(text), size.shortSide >= 16, size.longSide <= 8192 else {
      throw UsageError(text: "\(option) \(text.prefix(40)) is not WxH with sides from 16 to 8192")
    }
    return size
  }
}
