import Capture
import Imagery
import System

/// Counts presented pictures, and reports rate and latency once a second.
struct PictureCounter {
  struct Report {
    var count: Int
    var first: FirstPicture?
    var line: StatusLine?
  }

  private var count = 0
  private var since: MonotonicTime?
  private var recent = 0
  private var slowest = Duration.zero
  private var first: MonotonicTime?
  private var slowestOfAll = Duration.zero

  mutating func take(_ picture: PresentedPicture) -> Report {
    count += 1
    recent += 1
    slowest = max(slowest, picture.presentedTime - picture.frame.arrivalTime)
    slowestOfAll = max(slowestOfAll, slowest)
    first = first ?? picture.presentedTime
    let began = since ?? picture.presentedTime
    since = began
    var line: StatusLine?
    let elapsed = picture.presentedTime - began
    if elapsed >= .seconds(1) {
      line = StatusLine(
        picture: picture, framesPerSecond: Double(recent) / (elapsed.milliseconds / 1000), slowest: slowest)
      since = picture.presentedTime
      recent = 0
      slowest = .zero
    }
    return Report(count: count, first: count == 1 ? FirstPicture(picture: picture) : nil, line: line)
  }

  /// The figures of the whole run, up to the last picture.
  func total(_ last: PresentedPicture) -> TotalLine {
    TotalLine(
      picture: last, count: count, elapsed: last.presentedTime - (first ?? last.presentedTime),
      slowest: slowestOfAll)
  }
}

/// The line that `view --frames N` prints at its end.
struct TotalLine {
  let picture: PresentedPicture
  let count: Int
  /// The time from the first picture to the last.
  let elapsed: Duration
  let slowest: Duration

  /// Pictures per second. Nil for a single picture.
  private var rate: String? {
    count == 1 ? nil : tenths(Double(count - 1) / max(elapsed.milliseconds / 1000, 1e-6))
  }

  var text: String {
    let format = picture.frame.format
    let pictures = count == 1 ? "1 picture" : "\(count) pictures"
    let pace = rate.map { "  \($0) fps" } ?? ""
    return "\(pictures), \(format.pixelFormat.rawValue) \(format.size)\(pace)  "
      + "arrival to shown at most \(tenths(slowest.milliseconds)) ms"
  }

  var json: String {
    let format = picture.frame.format
    return """
      {"event":"total","pictures":\(count),"format":"\(format.pixelFormat.rawValue)","width":\(format.size.width),\
      "height":\(format.size.height),"framesPerSecond":\(rate ?? "null"),\
      "slowestMilliseconds":\(tenths(slowest.milliseconds))}
      """
  }
}

/// Formats a number with one decimal such as `33.3`, without Foundation.
func tenths(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// The times of the first picture, in nanoseconds of `CLOCK_MONOTONIC`, for the program that started this process.
struct FirstPicture {
  let picture: PresentedPicture

  func json(mainTime: MonotonicTime) -> String {
    """
    {"event":"firstPicture","main":\(mainTime.nanoseconds),"arrival":\(picture.frame.arrivalTime.nanoseconds),\
    "render":\(picture.renderTime.nanoseconds),"presented":\(picture.presentedTime.nanoseconds)}
    """
  }
}

/// The line with rate and latency that a viewfinder prints once a second.
struct StatusLine {
  let picture: PresentedPicture
  let framesPerSecond: Double
  let slowest: Duration

  private var rate: String { tenths(framesPerSecond) }
  private var worst: String { tenths(slowest.milliseconds) }

  var text: String {
    let format = picture.frame.format
    return "\(format.pixelFormat.rawValue) \(format.size)  \(rate) fps  "
      + "arrival to shown at most \(worst) ms  turned \(picture.frame.orientation.preview)"
  }

  var json: String {
    """
    {"event":"status","framesPerSecond":\(rate),"slowestMilliseconds":\(worst),\
    "format":"\(picture.frame.format.pixelFormat.rawValue)","rotation":\(picture.frame.orientation.preview.rotation.rawValue)}
    """
  }
}

struct OverlayLine {
  let overlay: DebugOverlay

  var text: String { overlay.rows.map { "\($0.label) \($0.text)" }.joined(separator: "  ") }

  /// The labels and texts are the engine's own, and have no quotation marks or backslashes to escape.
  var json: String {
    let fields = overlay.rows.map { "\"\($0.label)\":\"\($0.text)\"" }.joined(separator: ",")
    return """
      {"event":"overlay","fields":{\(fields)}}
      """
  }
}

/// A change of the session's state, with the time when it was observed, in nanoseconds of `CLOCK_MONOTONIC`.
struct StateLine {
  let state: SessionState
  let time: MonotonicTime

  var json: String {
    // Only the kind of an error is printed, since its text may contain text of a user or a device.
    let name = if case .failed = state { "failed" } else { state.description }
    return """
      {"event":"state","state":"\(name)","time":\(time.nanoseconds)\(notice)}
      """
  }

  /// The message about an interruption for the user, and its severity. Both are the engine's own texts.
  private var notice: String {
    guard let reason = state.interruption, reason.severity != .silent else { return "" }
    return ",\"severity\":\"\(reason.severity.rawValue)\",\"message\":\"\(reason.message)\""
  }
}

/// A change of the motion sensor between followed and lost, with its time in nanoseconds of `CLOCK_MONOTONIC`.
struct MotionLine {
  let state: MotionTracker.State
  let time: MonotonicTime

  var json: String {
    let name = if case .following = state { "following" } else { "lost" }
    return """
      {"event":"motion","state":"\(name)","time":\(time.nanoseconds)}
      """
  }
}
