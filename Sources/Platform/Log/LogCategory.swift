import Logging

/// The subject of a log line: a device, the user's files, a network. `SWIFTWING_LOG` selects categories by name.
package enum LogCategory: UInt8, CaseIterable, Sendable {
  /// Requests to a V4L2 driver, and cameras that are connected or removed.
  case v4l2
  /// A camera of the engine: opening, format, start, stall, loss.
  case camera
  /// The states of a session, and the requests to it.
  case session
  /// The fate of each frame.
  case frame
  /// The sensor of the device's orientation.
  case motion
  /// Display without a desktop.
  case display
  /// Tracked subjects, and motors.
  case dock
  /// Writing of videos and corpora.
  case recording
  /// Reading of recorded frames.
  case corpus
  /// Reading of photographs: recognisers, models, times.
  case scan
  /// Scans that are sent to a backend, and its answers.
  case queue
  /// The library of the user's books.
  case library
  /// Catalogues of known books.
  case catalogue
  /// Settings and presets.
  case settings
  /// Connections and requests to this program.
  case http
  /// Viewers in a browser, and their requests.
  case viewfinder

  package var name: String { "\(self)" }
}

/// The importance of a line, with the names of swift-log.
package enum LogLevel: UInt8, CaseIterable, Comparable, Sendable {
  /// Every frame and every request.
  case trace
  /// Details for a developer.
  case debug
  /// Notable events.
  case info
  case notice
  case warning
  case error
  case critical
  /// Above all other levels: no line is logged.
  case off

  package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

  package var name: String { "\(self)" }

  /// The level of swift-log. Nil for `off`, which no line has.
  var ofLogger: Logger.Level? {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical: .critical
    case .off: nil
    }
  }
}
