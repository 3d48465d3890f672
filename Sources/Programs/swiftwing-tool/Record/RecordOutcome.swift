import ArgumentParser
import Capture
import Console
import Foundation
import Harness
import Imagery
import Recording
import System

/// The outcome of a recording, for a person or a program.
struct RecordOutcome: Encodable {
  var out: String
  /// The codec; nil for a corpus.
  var codec: String?
  /// Whether the pictures were copied without encoding.
  var copied: Bool
  var width: Int
  var height: Int
  /// The clockwise rotation, in degrees, that the file tells its player to apply.
  var rotation: Int
  var mirrored: Bool
  var frames: Int
  var dropped: Int
  var damaged: Int
  /// The number of Motion JPEG frames that had to be cropped or brightened, and so encoded again.
  var reencoded: Int
  /// The number of gaps: no picture arrived for more than a second, or a still of another size was taken.
  var gaps: Int
  /// The longest gap, in seconds.
  var longestGap: Double
  /// For a camera that was lost at the end, the seconds since its last picture; otherwise 0. These seconds are not a gap, because they are
  /// not in the file.
  var lostAtEnd = 0.0
  /// The reason why no picture arrived at the end.
  var interruption: String?
  /// The number of jumps of the camera's clock. The file does not contain them.
  var clockJumps: Int
  var seconds: Double
  var bytes: Int64
  var thumbnail: String?
  var end: String
  var interrupted: Bool
  /// The reason why the recording ended early or has no pictures; nil if there is none.
  var reason: String?
  /// Further notes for the user, one sentence each.
  var notes: [String] = []

  private let failure: RecordingError?
  private let camera: CameraError?
  private var absence: Failure?

  private enum CodingKeys: String, CodingKey {
    case out, codec, copied, width, height, rotation, mirrored, frames, dropped, damaged, reencoded, gaps
    case longestGap, lostAtEnd, interruption, clockJumps, seconds, bytes, thumbnail, end, interrupted, reason
    case notes
  }

  init(_ recording: Recording, of source: String, _ ending: RecordEnding) {
    let progress = recording.progress
    out = recording.path
    bytes = progress.byteCount
    codec = recording.codec?.rawValue
    copied = recording.isCopied
    width = recording.size?.width ?? 0
    height = recording.size?.height ?? 0
    rotation = recording.orientation.rotation.rawValue
    mirrored = recording.orientation.isMirrored
    frames = progress.written
    dropped = progress.dropped
    damaged = progress.damaged
    reencoded = progress.reencoded
    gaps = progress.gaps
    clockJumps = progress.clockJumps
    longestGap = progress.longestGap.milliseconds.rounded() / 1000
    seconds = (progress.duration.milliseconds).rounded() / 1000
    thumbnail = recording.thumbnailPath
    end = recording.end.rawValue
    interrupted = ending.isInterrupted
    self.failure = recording.failure
    camera = ending.failure
    if recording.end == .stopped, let reason = ending.interruption, let last = progress.lastExposure {
      interruption = reason.rawValue
      // Limits the time to the recording's length, because the camera may use another clock.
      let most = max(0, Date().timeIntervalSince1970 - progress.startTime)
      lostAtEnd = (min(max(0, (ending.time - last).milliseconds / 1000), most) * 1000).rounded() / 1000
      absence = Failure(
        "no picture came from \(source) in the last \(String(format: "%.1f", lostAtEnd)) s: \(reason.clause)",
        .sourceUnavailable)
    }
    reason =
      recording.failure.map { "\($0)" } ?? ending.failure.map { "\($0)" } ?? absence?.description
    notes = [Self.noteOfDropped(recording), Self.noteOfThumbnail(recording)].compactMap { $0 }
  }

  /// Returns a note about dropped pictures. Copied pictures can only be held up by the disk.
  private static func noteOfDropped(_ recording: Recording) -> String? {
    let progress = recording.progress
    guard progress.dropped > 0, recording.failure == nil else { return nil }
    let isEncoded = recording.codec != nil && !recording.isCopied
    let cause =
      isEncoded
      ? "the encoder could not keep up; choose another codec with --codec, or a smaller size or rate of the camera"
      : "the disk could not keep up; record to a faster disk, or a smaller size or rate of the camera"
    let came = progress.written + progress.dropped + progress.damaged
    return "\(progress.dropped) of \(came) pictures were dropped because \(cause)"
  }

  private static func noteOfThumbnail(_ recording: Recording) -> String? {
    guard recording.progress.written > 0, let reason = recording.thumbnailFailure else { return nil }
    return "the video has no thumbnail beside it: \(reason)"
  }

  var text: String {
    let pictures = codec.map { copied ? "\($0), copied" : $0 } ?? "corpus"
    let turn = codec == nil || (rotation == 0 && !mirrored) ? "" : ", turned by its player"
    return
      "\(PlainText.printable(out)): \(width)×\(height) \(pictures)\(turn), \(Self.counts(frames, dropped, seconds: seconds, bytes: bytes))\(remarks)"
  }

  /// Remarks about the file; empty if there are none.
  private var remarks: String {
    var remarks = ""
    if gaps > 0 { remarks += String(format: ", gaps: %d, at most %.1f s", gaps, longestGap) }
    if interruption != nil { remarks += String(format: ", nothing in the last %.1f s", lostAtEnd) }
    if reencoded > 0 { remarks += ", \(reencoded) encoded anew" }
    if clockJumps > 0 { remarks += ", jumps of the camera's clock: \(clockJumps)" }
    if damaged > 0 { remarks += ", \(damaged) damaged ones left out" }
    return remarks
  }

  static func line(_ progress: RecordingProgress) -> String {
    "recording: "
      + counts(
        progress.written, progress.dropped, seconds: progress.duration.milliseconds / 1000,
        bytes: progress.byteCount)
  }

  private static func counts(_ frames: Int, _ dropped: Int, seconds: Double, bytes: Int64) -> String {
    String(format: "%d frames in %.1f s, %d dropped, %.1f MB", frames, seconds, dropped, Double(bytes) / 1e6)
  }

  /// Throws the error that determines the exit status.
  /// - Throws: nothing if the status is 0.
  func check() throws {
    if let failure { throw failure }
    if let camera { throw camera }
    if interrupted { throw ExitCode(.interrupted) }
    if let absence { throw absence }
  }
}
