import Imagery

/// Starts the viewfinder as a user would, and learns when its first picture was shown.
struct ViewfinderLaunch {
  let executable: String
  let arguments: [String]
  /// Broken on purpose: so much longer until it begins.
  var held = Duration.zero

  /// The moments of one start, on `CLOCK_MONOTONIC`.
  struct Moments {
    var spawned: MonotonicTime
    var main: MonotonicTime
    var arrival: MonotonicTime
    var render: MonotonicTime
    var presented: MonotonicTime
    var exited: MonotonicTime
  }

  /// Starts, waits for the end, and reads what it said.
  func run() throws -> Moments {
    let outcome = try program.run()
    guard let fields = FirstPictureLine(outcome.output) else {
      throw LaunchError(
        executable, "it ended (status \(outcome.status)) without showing a picture", Self.remedy)
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
