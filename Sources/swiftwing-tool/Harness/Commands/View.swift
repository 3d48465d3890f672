import ArgumentParser

/// The help of `swiftwing view`; the command itself is the executable `swiftwing`.
struct View: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Open a camera, draw its pictures to memory, and print frame rate and delay.",
    usage: """
      swiftwing view [--source SRC] [--frames N] [--size WxH]
                     [--motion iio[:NAME]] [--look FILE] [--overlay]
                     [--json]
      """)

  @Option(help: ArgumentHelp("What to capture from.", valueName: "SRC")) var source =
    "corpus:shelf-pan?loop=1"
  @Option(help: ArgumentHelp("End after this many pictures.", valueName: "N")) var frames: Int?
  @Option(help: ArgumentHelp("Size of the surface in pixels.", valueName: "WxH")) var size = "1280x720"
  @Option(help: ArgumentHelp("Turn pictures by this accelerometer.", valueName: "iio[:NAME]"))
  var motion: String?
  @Option(help: ArgumentHelp("Give the pictures the look of this .cube file.", valueName: "FILE"))
  var look: String?
  @Flag(help: "Print once a second what a debug overlay shows: rate, exposure, white balance, delay.")
  var overlay = false
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    var arguments = ["view", "--source", source, "--size", size] + (json ? ["--json"] : [])
    if overlay { arguments.append("--overlay") }
    if let frames { arguments += ["--frames", "\(frames)"] }
    if let motion { arguments += ["--motion", motion] }
    if let look { arguments += ["--look", look] }
    try SiblingProgram.become("swiftwing", arguments)
  }
}
