import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

extension TroubleLog {
  /// The troubles of the recording, the states of the session and the pictures on the surface, over the time of the track.
  var timeline: Timeline {
    func time(_ instant: MonotonicTime) -> Double { (instant - origin).milliseconds }
    let end = pictures.last.map { time($0.presentedTime) } ?? 0
    let spans = zip(states, states.dropFirst().map { time($0.time) } + [end]).map { mark, until in
      let isAlert = if case .interrupted = mark.state { true } else { false }
      return Timeline.Span(
        mark.state.description, from: max(0, time(mark.time)), to: max(0, until), isAlert: isAlert)
    }
    return Timeline(lanes: [
      Timeline.Lane(
        "recording",
        spans: faults.map { fault in
          let began = Double(fault.time) / 1e6
          let length = Double(max(fault.durationNanoseconds, interval.nanoseconds)) / 1e6
          return Timeline.Span(fault.kind.rawValue, from: began, to: began + length, isAlert: true)
        }),
      Timeline.Lane("session", spans: spans),
      Timeline.Lane("pictures", spans: shownSpans(time)),
    ])
  }

  /// Returns the runs of pictures without a gap of two and a half intervals or more.
  private func shownSpans(_ time: (MonotonicTime) -> Double) -> [Timeline.Span] {
    var spans: [Timeline.Span] = []
    for picture in pictures {
      let shown = time(picture.presentedTime)
      if let last = spans.last, shown - last.end < 2.5 * interval.milliseconds {
        spans[spans.count - 1].end = shown
      } else {
        spans.append(Timeline.Span("shown", from: shown, to: shown))
      }
    }
    return spans
  }
}
