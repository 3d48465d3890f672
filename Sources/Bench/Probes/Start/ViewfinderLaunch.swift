import Imagery
package import System

/// A start of the viewfinder as by a user, with the times of its first picture.
package struct ViewfinderLaunch {
  let executable: String
  let arguments: [String]
  /// Additional time before the viewfinder is started, as a fault.
  private let held: Duration

  /// - Parameter rig: the rig with the executable. If its fault is a slow opening of the camera, the start is delayed.
  package init(_ rig: Rig, arguments: [String]) {
    self.arguments = arguments
    executable = rig.viewfinder
    held = rig.fault?.opening ?? .zero
  }

  /// The times of one start, on `CLOCK_MONOTONIC`.
  package struct Moments {
    package var spawned: MonotonicTime
    package var main: MonotonicTime
    package var arrival: MonotonicTime
    package var render: MonotonicTime
    package var presented: MonotonicTime
    package var exited: MonotonicTime
  }

  /// Starts the viewfinder, waits for its end, and reads its output.
  package func run() throws -> Moments {
    let outcome = try program.run()
    guard let fields = FirstPictureLine(outcome.output) else {
      throw LaunchError(
        executable, "it ended (status \(outcome.status)) without showing a picture",
        remedy: "its own message, above, says why; if it is an old build, \(Self.remedy)")
    }
    return Moments(
      spawned: outcome.spawned, main: fields.main, arrival: fields.arrival, render: fields.render,
      presented: fields.presented, exited: outcome.exited)
  }

  private var program: ChildProgram {
    guard held > .zero else {
      return ChildProgram(executable: executable, arguments: arguments, remedy: Self.remedy)
    }
    return ChildProgram(
      executable: "sh",
      arguments: ["-c", "sleep \(held.milliseconds / 1000); exec \"$@\"", "sh", executable] + arguments,
      remedy: Self.remedy)
  }

  private static let remedy = "build it with `make build`"
}
