import Harness
import Probes
import System

import struct Foundation.Data

/// Measurements of a display that shows a loop's pictures: flips, latencies, torn rows.
struct DisplayLog: Sendable {
  /// The flips of one client.
  struct Flips: Sendable {
    /// Number of flips.
    var count = 0
    /// Number of vblanks that passed while a flip was ready.
    var missed = 0
  }

  var mode = ""
  var refreshInterval = Duration.zero
  /// Flips of a client that does nothing but flip (`own`), and of the engine (`ours`).
  var (own, ours) = (Flips(), Flips())
  /// Milliseconds from writing to the driver to display.
  var latencies: [Double] = []
  /// Milliseconds from dequeueing to display (`engine`), and from dequeueing to a picture in memory (`inMemory`).
  var (engine, inMemory): ([Double], [Double]) = ([], [])
  /// Milliseconds from dequeueing to display, for pictures in the display's own format, which need not be drawn.
  var undrawn: [Double] = []
  /// Number of pictures in the display's own format that were drawn nevertheless.
  var drawn = 0
  /// Milliseconds from the request of a flip to its vblank.
  var waits: [Double] = []
  /// Number of pictures that the display showed.
  var shown = 0
  /// Number of pictures without a number that was written (`unreadable`), of pictures with rows of two frames (`mixed`), and of pictures
  /// whose rows changed while they were shown (`changed`).
  var (unreadable, mixed, changed) = (0, 0, 0)
  /// Number of pictures that were checked again when they were replaced.
  var watched = 0
  /// Number of frames that the engine dequeued and did not show (`lost`), and number of lost frames that the beat between the clocks of
  /// camera and display explains (`beat`).
  var (lost, beat) = (0, 0)
  /// Number of flips whose timestamp or number does not follow that of the flip before.
  var unordered = 0
  /// The picture that the display showed last, as a JPEG file.
  var picture: Data?
  var tail: [Presentation] = []
  var frameInterval = Duration.zero

  var metrics: [Measurement] {
    func metric(_ name: String, _ title: String, samples: [Double], polarity: Polarity = .lowerIsBetter)
      -> Measurement
    {
      Measurement(
        id: name.isEmpty ? "display.loop" : "display.loop.\(name)", title: title, unit: .milliseconds,
        polarity: polarity, level: .display, samples: samples)
    }
    let allowed = (Summary(inMemory)?.percentile(99)).map { [$0 + refreshInterval.milliseconds] } ?? []
    return [
      metric("", "written to the driver → the vblank that shows it", samples: latencies),
      metric("engine", "taken from the driver → the vblank that shows it", samples: engine),
      metric(
        "undrawn", "taken from the driver → the vblank that shows the camera's own memory", samples: undrawn),
      metric("memory", "taken from the driver → drawn to memory", samples: inMemory),
      metric("allowed", "p99 to memory and one vblank", samples: allowed, polarity: .exact),
      metric("vblank", "from vblank to vblank", samples: [refreshInterval.milliseconds], polarity: .exact),
      metric("wait", "ready → the vblank that shows it", samples: waits),
    ]
  }

  var checks: [Check] {
    let allowed = allowedMisses
    return [
      check(
        "stamped", "each flip is stamped with a vblank after that of the one before", passed: unordered == 0,
        detail: "\(unordered) of \(shown) were not"),
      check(
        "readable", "the number can be read off the memory that was shown", passed: unreadable == 0,
        detail: "\(unreadable) of \(shown) could not be read"),
      check(
        "whole", "all rows of a picture are of one frame, as long as it is shown",
        passed: mixed + changed == 0,
        detail:
          "\(mixed) of \(shown) were of two frames, and \(changed) of \(watched) changed while they were shown",
        subjects: min(shown, watched)),
      check(
        "undrawn", "pictures that the display can show as they are, it shows out of the camera's own memory",
        passed: drawn == 0,
        detail: "\(drawn) of \(undrawn.count) were drawn", subjects: undrawn.count),
      check(
        "vblanks",
        "no vblank goes by while a picture is ready, but as often as for a program that only flips",
        passed: ours.missed <= allowed,
        detail:
          "\(ours.missed) at \(ours.count) flips; alone \(own.missed) at \(own.count), so that chance allows \(allowed)",
        missedBy: Double(ours.missed - allowed)),
      check(
        "kept",
        "no frame is lost, but to the beat of camera and display, and one in a hundred to an emulated processor",
        passed: lost <= allowedLosses,
        detail: "\(lost) of \(lost + shown); \(allowedLosses) are allowed, \(beat) of them by the beat",
        missedBy: Double(lost - allowedLosses)),
    ]
  }

  /// The number of missed vblanks that chance explains: m + 3√(m + 1), where m is the mean that follows from the misses of the client that
  /// only flips (Poisson). At most two in a hundred flips.
  private var allowedMisses: Int {
    guard own.count > 0 else { return 0 }
    let mean = Double(own.missed) * Double(ours.count) / Double(own.count)
    return min(Int(mean + 3 * (mean + 1).squareRoot()), ours.count / 50)
  }

  /// The losses that the beat explains, and one frame in a hundred: an emulated processor sometimes delivers a frame late, and the next
  /// frame overtakes it.
  private var allowedLosses: Int { beat + (lost + shown) / 100 }

  private func check(
    _ name: String, _ title: String, passed: Bool, detail: String, subjects: Int? = nil,
    missedBy: Double? = nil
  ) -> Check {
    Check(
      id: "display.loop.\(name)", title: title, passed: passed, subjects: subjects ?? shown, detail: detail,
      requirement: "LAT-1", missedBy: missedBy)
  }

  var evidence: [Evidence] {
    [
      picture.map { .jpeg("The memory that the display showed last, with its numbers", $0) },
      tail.isEmpty
        ? nil : .timeline("The last pictures shown", Timeline(tail: tail, interval: frameInterval)),
    ].compactMap { $0 }
  }

  static func example(isGood: Bool) -> DisplayLog {
    var log = DisplayLog()
    log.own = Flips(count: 100, missed: 0)
    log.ours = Flips(count: 100, missed: isGood ? 0 : 100)
    log.shown = 100
    log.watched = 99
    log.beat = 1
    log.undrawn = Array(repeating: 10, count: 50)
    guard !isGood else { return log }
    log.unreadable = 1
    log.mixed = 0
    log.changed = 1
    log.lost = 3
    log.unordered = 1
    log.drawn = 1
    return log
  }
}
