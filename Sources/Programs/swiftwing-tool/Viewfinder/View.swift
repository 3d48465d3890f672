import ArgumentParser

/// `swiftwing view`. The executable `swiftwing` shows pictures in memory or on a display; this one serves them to browsers.
struct View: AsyncParsableCommand, RepeatsOptions {
  static let repeatedOptions: Set = ["--lens", "--buttons"]
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Open a camera, show its pictures, and print frame rate and delay.",
    usage: """
      swiftwing view [--source SRC] [--frames N] [--size WxH]
                     [--motion iio[:NAME]] [--look FILE] [--overlay]
                     [--display CARD] [--trace FILE] [--json]
      swiftwing view --serve [PORT] [--source SRC] [--lens FACTOR=SRC]...
                     [--recordings FOLDER] [--photos FOLDER]
                     [--listen ADDRESS] [--certificate FILE --key FILE]
                     [--token-file FILE] [--size WxH] [--quality N]
                     [--pause SECONDS] [--motion iio[:NAME]]
                     [--trace FILE] [--json]
                     [--scan] [--library PATH] [--buttons DEVICE]...
                     [--recognizer local|hybrid|backend] [--no-fallback]
                     [--server URL] [--patience SECONDS]
                     [--upload-size legible|N] [--budget PROFILE]
      """,
    discussion: """
      Pictures are drawn to memory, or with --display on a screen of this machine, without a desktop, in the \
      mode that the screen prefers or in the mode of --size. Leave the desktop first: only one program at a \
      time can show pictures on a card.

      With --serve, a browser on this machine shows the viewfinder, at the address that is printed, until \
      ^C. The camera is opened for the first viewer, and closed --pause seconds after the last one has left. \
      All viewers share one camera. `swiftwing remote` operates the viewfinder from a command line. Only \
      clients with the token in that address are admitted.

      --scan reads the spines of books in the picture and outlines them. --library shows the number of books \
      in a library, the newest of them, and its queue. With both, each photo also goes into that library, as \
      the photos of `swiftwing scan` do; --recognizer and the related options have the same meaning as \
      there. One program at a time puts photos into a library.

      --buttons obeys the keys of an input device, such as a wireless shutter: the camera key takes a photo, \
      record and volume keys start and stop a recording, zoom keys and a wheel zoom, and the next key \
      switches to the next camera.

      With --listen, other machines are served too, only over TLS. The viewfinder makes its own certificate, \
      which the browser warns about; --certificate and --key give another.
      """)

  @Option(
    help: ArgumentHelp(
      "The source; by default the first camera, or a recording if there is no camera.",
      valueName: "SRC")) var source: String?
  @Option(help: ArgumentHelp("End after this many pictures.", valueName: "N")) var frames: Int?
  @Option(
    help: ArgumentHelp(
      "Size of the surface in pixels, 1280x720 unless given; of pictures that are encoded for a browser, the longer side counts.",
      valueName: "WxH")) var size: String?
  @Option(help: ArgumentHelp("Turn pictures by this accelerometer.", valueName: "iio[:NAME]"))
  var motion: String?
  @Option(help: ArgumentHelp("Give the pictures the look of this .cube file.", valueName: "FILE"))
  var look: String?
  @Option(help: ArgumentHelp("Show the pictures on the screen of this card.", valueName: "CARD"))
  var display: String?
  @Option(help: ArgumentHelp("Write a trace of every frame, for Perfetto, to this file.", valueName: "FILE"))
  var trace: String?
  @Flag(help: "Print once a second what a debug overlay shows: rate, exposure, white balance, delay.")
  var overlay = false
  @Flag(help: "Print one JSON object per line.") var json = false
  @OptionGroup(title: "For a browser") var service: ServeOptions

  func validate() throws {
    guard service.serve != nil else { return try service.refuseWithoutServe() }
    try service.check()
    let idle = [
      frames.map { _ in "--frames" }, look.map { _ in "--look" }, overlay ? "--overlay" : nil,
    ]
    if display != nil {
      throw ValidationError(
        "--display has no effect with --serve, which shows to browsers; leave one of the two out")
    }
    if let option = idle.compactMap({ $0 }).first {
      throw ValidationError(
        "\(option) has no effect with --serve: the page has a control for it; leave it out")
    }
  }

  func run() async throws {
    if let port = service.serve {
      try SwiftwingTool.traceOrLog(trace)
      return try await ViewfinderService(view: self, port: port).run()
    }
    var arguments = ["view"] + (json ? ["--json"] : [])
    if let source { arguments += ["--source", source] }
    if let size { arguments += ["--size", size] }
    if let display { arguments += ["--display", display] }
    if overlay { arguments.append("--overlay") }
    if let frames { arguments += ["--frames", "\(frames)"] }
    if let motion { arguments += ["--motion", motion] }
    if let look { arguments += ["--look", look] }
    if let trace { arguments += ["--trace", trace] }
    try SiblingProgram.become("swiftwing", arguments)
  }
}
