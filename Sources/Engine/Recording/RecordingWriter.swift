import Glibc
import Imagery
import System

/// The work of the recording thread for one recording.
///
/// `@unchecked Sendable`: created before there is a frame, then used only under the lock of its `RecordingTake`; the properties that are read without
/// the lock never change.
final class RecordingWriter: @unchecked Sendable {
  enum Outcome {
    /// The frame was written. `isReencoded`: whether Motion JPEG that is otherwise copied was encoded anew.
    case written(isReencoded: Bool)
    case damaged
    case mustEnd(Recording.End)
  }

  private static let timesKept = 2048

  let path: String
  private let settings: RecordingSettings
  private let place: RecordingPlace
  let interval: FrameInterval
  private let created: String?
  private var track: (any RecordingTrack)?
  private var first: Frame.Beginning?
  private var timeline: RecordingTimeline
  /// The times of the latest frames; of more frames than a track can lose at its end.
  private var times: [Int64] = []
  private var thumbnail: String?
  private var thumbnailFailure: String?
  private var failure: RecordingError?

  /// - Parameters:
  ///   - place: the file, if the caller (a test) has created it already; nil creates it here.
  ///   - folder: makes recordings whose path is a folder and not a video; nil if only videos are allowed.
  ///   - interval: the nominal time between two frames.
  /// - Throws: `destination`, `settings`, `noEncoder`.
  init(
    _ settings: RecordingSettings, to path: String, at place: RecordingPlace? = nil,
    folder: RecordingFolder? = nil, interval: FrameInterval, created: String?
  ) throws(RecordingError) {
    self.path = path
    self.settings = settings
    self.interval = interval
    self.created = created
    timeline = RecordingTimeline(interval: interval.nanoseconds)
    self.place =
      if let place { place } else { try RecordingTarget(path).claim(path, settings, folder: folder) }
  }

  var byteCount: Int64 { track?.byteCount ?? 0 }
  var clockJumps: Int { timeline.jumps }
  /// The duration in the file, from the beginning of the first frame to the end of the last.
  var duration: Duration { duration(without: 0) }

  func write(_ frame: Frame) -> Outcome {
    do throws(RecordingTrackError) {
      if let first, !first.isContinued(by: frame) { return .mustEnd(.formatChanged) }
      let track = try begin(frame)
      // A frame that is left out does not advance the timeline.
      var next = timeline
      try track.append(frame, at: next.time(of: frame))
      timeline = next
      keep(next.last ?? 0)
      if first == nil {
        first = Frame.Beginning(frame)
        makeThumbnail(frame)
      }
      return .written(isReencoded: track.hasReencoded)
    } catch {
      switch error {
      case .damaged: return .damaged
      case .failed(let error):
        failure = error
        return .mustEnd(.failed)
      }
    }
  }

  private func keep(_ time: Int64) {
    times.append(time)
    if times.count >= 2 * Self.timesKept { times.removeFirst(Self.timesKept) }
  }

  /// - Parameter lost: the number of frames at the end that are not in the file.
  private func duration(without lost: Int) -> Duration {
    times.dropLast(lost).last.map { .nanoseconds($0) + interval.duration } ?? .zero
  }

  /// The track, which is created with the first readable frame.
  private func begin(_ frame: Frame) throws(RecordingTrackError) -> any RecordingTrack {
    if let track { return track }
    let made = try place.track(
      settings, to: path, first: frame, interval: interval, created: created)
    track = made
    return made
  }

  /// Makes the thumbnail. A thumbnail that cannot be made or written does not end the recording.
  private func makeThumbnail(_ frame: Frame) {
    guard settings.hasThumbnail, case .file = place else { return }
    let name = RecordingList.thumbnail(of: path)
    do throws(ImageError) {
      let wanted = PhotoSettings(longSide: 320, quality: 80, maximumBytes: nil)
      let picture = try FramePainter(settings.look).picture(of: frame)
      let photo = try PhotoPipeline(damage: .refuse)
        .process(picture, orientation: frame.orientation.capture, settings: wanted)
      layThumbnail(photo.bytes, name)
    } catch {
      thumbnailFailure = "\(error)"
    }
  }

  private func layThumbnail(_ bytes: [UInt8], _ name: String) {
    do throws(SystemError) {
      let draft = try DurableFile(name, mode: 0o666)
      try draft.write(bytes)
      if try draft.claim() {
        thumbnail = name
      } else {
        thumbnailFailure = "there is something named \(name) already"
      }
    } catch {
      thumbnailFailure = "\(name) cannot be written (\(error.reason))"
    }
  }

  /// Ends the file and completes the recording. A file without frames is removed.
  func close(_ recording: inout Recording) {
    if let track {
      let facts = track.facts
      if recording.progress.written > 0 { end(track) }
      recording.codec = facts.codec
      recording.size = facts.size
      recording.orientation = facts.orientation
      recording.isCopied = facts.isCopied && recording.progress.reencoded == 0
      recording.progress.byteCount = track.byteCount
      if failure != nil {
        recording.progress.written = max(0, recording.progress.written - track.lostFrames)
        recording.progress.duration = duration(without: track.lostFrames)
      }
    }
    track = nil
    if recording.progress.written == 0 { giveUp(&recording) }
    recording.thumbnailPath = thumbnail
    recording.thumbnailFailure = thumbnailFailure
    recording.failure = failure
    if failure != nil { recording.end = .failed }
  }

  private func giveUp(_ recording: inout Recording) {
    failure = failure?.withNothingKept
    place.giveUp()
    if let thumbnail { unlink(thumbnail) }
    thumbnail = nil
    recording.progress.byteCount = 0
  }

  private func end(_ track: any RecordingTrack) {
    guard failure == nil else { return track.abandon() }
    do throws(RecordingError) { try track.finish() } catch { failure = error }
  }

  static func secondsSince1970() -> Double { KernelClock.seconds(CLOCK_REALTIME) }

  /// The present time of day, in the form that files use.
  static func timeOfDay() -> String? {
    var (now, parts) = (time(nil), tm())
    guard gmtime_r(&now, &parts) != nil else { return nil }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Frame {
  /// The properties that all frames of a recording share with its first.
  fileprivate struct Beginning {
    private let format: ImageFormat

    init(_ frame: Frame) { format = frame.image.format }

    func isContinued(by frame: Frame) -> Bool { frame.image.format == format }
  }
}
