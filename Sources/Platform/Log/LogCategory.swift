import Logging

/// What a line of the log is about: a device, files of the user's, a network. `SWIFTWING_LOG` names them.
package enum LogCategory: UInt8, CaseIterable, Sendable {
  /// Requests to a V4L2 driver, and cameras that come and go.
  case v4l2
  /// A camera as the engine knows it: opened, its format, started, stalled, lost.
  case camera
  /// States of a session, and what it was asked.
  case session
  /// What became of each frame.
  case frame
  /// The sensor that says how the device is held.
  case motion
  /// A screen without a desktop.
  case display
  /// Subjects that are followed, and motors.
  case dock
  /// Videos and corpora that are written.
  case recording
  /// Recorded frames that are read.
  case corpus
  /// Photographs that are read: recognisers, models, times.
  case scan
  /// Scans on their way to a backend, and its answers.
  case queue
  /// A user's books.
  case library
  /// Lists of known books.
  case catalogue
  /// Settings and presets.
  case settings
  /// Connections and requests to this program.
  case http
  /// Who looks through the viewfinder of a browser, and what they ask.
  case viewfinder

  package var name: String { "\(self)" }
}

/// How much a line matters, by the names of swift-log.
package enum LogLevel: UInt8, CaseIterable, Comparable, Sendable {
  /// Each frame and each request.
  case trace
  /// What a developer wants to know.
  case debug
  /// What has happened.
  case info
  case notice
  case warning
  case error
  case critical
  /// Above all others: nothing is told.
  case off

  package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

  package var name: String { "\(self)" }

  /// Nil for `off`, which no line has.
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
