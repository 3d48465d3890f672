import ArgumentParser

/// The help of `swiftwing view`; the command itself is the `swiftwing` executable.
struct View: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open a camera and present its pictures to a surface in memory, saying how it goes.",
    usage: """
      swiftwing view [--source SRC] [--frames N] [--size WxH]
                     [--motion iio[:NAME]] [--json]
      """)

  @Option(help: ArgumentHelp("The camera.", valueName: "SRC")) var source = "corpus:shelf-pan?loop=1"
  @Option(help: ArgumentHelp("End after so many pictures.", valueName: "N")) var frames: Int?
  @Option(help: ArgumentHelp("The size of the surface.", valueName: "WxH")) var size = "1280x720"
  @Option(help: ArgumentHelp("Turn pictures as this accelerometer says.", valueName: "iio[:NAME]"))
  var motion: String?
  @Flag(help: "One JSON object a line.") var json = false

  func run() throws {
    var arguments = ["view", "--source", source, "--size", size] + (json ? ["--json"] : [])
    if let frames { arguments += ["--frames", "\(frames)"] }
    if let motion { arguments += ["--motion", motion] }
    try SiblingProgram.become("swiftwing", arguments)
  }
}
