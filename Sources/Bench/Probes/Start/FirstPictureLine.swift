import Imagery
package import System

import struct FoundationEssentials.Data
import class FoundationEssentials.JSONDecoder

/// The line of output in which `swiftwing view --json` reports the times of its first picture.
package struct FirstPictureLine {
  package let main: MonotonicTime
  package let arrival: MonotonicTime
  package let render: MonotonicTime
  package let presented: MonotonicTime

  private struct Fields: Decodable {
    let event: String
    let main: Int64
    let arrival: Int64
    let render: Int64
    let presented: Int64
  }

  /// Nil if the output has no such line.
  package init?(_ output: String) {
    for line in output.split(separator: "\n") {
      guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(line.utf8)),
        fields.event == "firstPicture"
      else { continue }
      main = MonotonicTime(nanoseconds: fields.main)
      arrival = MonotonicTime(nanoseconds: fields.arrival)
      render = MonotonicTime(nanoseconds: fields.render)
      presented = MonotonicTime(nanoseconds: fields.presented)
      return
    }
    return nil
  }
}
