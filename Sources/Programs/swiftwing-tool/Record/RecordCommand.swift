public import ArgumentParser
import Console
import Imagery
public import Recording
import Settings

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record what a camera shows to a video file or a corpus.",
    usage: """
      swiftwing record --out FILE.mp4|FILE.mov|FOLDER [--source SRC]
                       [--seconds N] [--codec mjpeg|h264|hevc|prores|ffv1]
                       [--look FILE] [--bake] [--quality N] [--bit-rate N]
                       [--no-thumbnail] [--no-settings] [--trace FILE] [--json]
      """,
    discussion: """
      A name that ends in .mp4, .m4v or .mov becomes a video, any other a corpus, which `swiftwing corpus \
      verify` checks and every --source plays; names of pictures and of other kinds of video are refused. No \
      existing file is replaced.

      The Motion JPEG of a camera is copied as it is. Other pictures are encoded as H.264, or as Motion JPEG \
      if there is no encoder for H.264; --codec chooses. prores and ffv1 need .mov. A corpus accepts no \
      codec, quality, bit rate, look, turn or thumbnail. The angle at the start is written into the file for \
      players, or with --bake the pixels are turned.

      A video is written frame by frame. If the program is killed or the disk is full, the file contains the \
      frames until then, and players open it. ^C ends the recording cleanly, with exit status 130.

      --look gives every picture the look of a .cube file. Without it, a video has the look of `swiftwing \
      settings` if isBakeInLUTEnabled is on there. The torch, and the locks of exposure and white balance, \
      also follow the settings: isFlashlightEnabled, isExposureLockEnabledDuringRecording, \
      isWhiteBalanceLockEnabled; they are restored after the recording. --no-settings ignores all of these.

      If 60 frames, or 64 MB of frames, wait for the disk or the encoder, further frames are dropped and \
      counted.
      """)

  @Option(
    help: ArgumentHelp("The video to write, or the folder of the corpus.", valueName: "FILE|FOLDER"))
  var out: String
  @Option(help: ArgumentHelp("The source to record.", valueName: "SRC")) var source = "/dev/video0"
  @Option(
    help: ArgumentHelp(
      "Stop after this many seconds; by default at the source's end, or at ^C.", valueName: "N"))
  var seconds: Double?
  @Option(help: ArgumentHelp("The codec of the video.", valueName: "mjpeg|h264|hevc|prores|ffv1"))
  var codec: RecordingCodec?
  @Option(help: ArgumentHelp("Give the pictures the look of this .cube file.", valueName: "FILE"))
  var look: String?
  @Flag(help: "Turn the pixels; by default the file tells players how to turn them.") var bake = false
  @Option(help: ArgumentHelp("The quality of encoded pictures, 1 to 100; by default 85.", valueName: "N"))
  var quality: Int?
  @Option(help: ArgumentHelp("The bits per second of H.264 and HEVC, instead of --quality.", valueName: "N"))
  var bitRate: Int?
  @Flag(name: .customLong("no-thumbnail"), help: "Write no thumbnail of the video.") var hasNoThumbnail =
    false
  @Flag(name: .customLong("no-settings"), help: "Ignore torch, locks and look of the settings file.")
  var ignoresSettings = false
  @Option(help: ArgumentHelp("Write a trace of every frame, for Perfetto, to this file.", valueName: "FILE"))
  var trace: String?
  @Flag(help: "Print the result as JSON.") var json = false

  func validate() throws {
    if let seconds, !(0.1...604_800).contains(seconds) {
      throw ValidationError("--seconds must be 0.1 to 604800, not \(seconds)")
    }
    guard (1...100).contains(quality ?? 85) else {
      throw ValidationError("--quality must be 1 to 100, not \(quality ?? 85)")
    }
    if let bitRate, !(10_000...1_000_000_000).contains(bitRate) {
      throw ValidationError("--bit-rate must be 10000 to 1000000000 bits a second, not \(bitRate)")
    }
    try refuseWithoutEffect()
  }

  /// Refuses options without an effect, because they are mistakes.
  private func refuseWithoutEffect() throws {
    if bitRate != nil, let codec, ![.h264, .hevc].contains(codec) {
      throw ValidationError("--bit-rate is for h264 and hevc, and --codec is \(codec.rawValue); leave it out")
    }
    guard RecordingOutput.isFolder(out) else { return }
    let idle = [
      quality.map { _ in "--quality" }, bitRate.map { _ in "--bit-rate" },
      hasNoThumbnail ? "--no-thumbnail" : nil,
    ]
    if let option = idle.compactMap({ $0 }).first {
      throw ValidationError(
        "\(option) is for a video, and \(out) would be a corpus; leave it out, or name a file that ends in .mp4"
      )
    }
  }

  func run() async throws {
    Interrupts.keep()
    try SwiftwingTool.traceOrLog(trace)
    let chosen = try ignoresSettings ? CameraSettings() : RecordWishes.settings()
    let wishes = try RecordWishes(look: look, path: out, settings: chosen)
    let run = RecordRun(
      source: source, path: out, settings: settings(with: wishes.look), conditions: wishes.conditions,
      limit: seconds.map { .milliseconds(Int64($0 * 1000)) })
    let outcome = try await run.outcome()
    defer { for note in outcome.notes { Terminal.tell("note: \(PlainText.printable(note))") } }
    if json { try Terminal.say(json: outcome) } else { Terminal.say(outcome.text) }
    try outcome.check()
  }

  private func settings(with look: ColorLookup?) -> RecordingSettings {
    RecordingSettings(
      codec: codec, orientation: bake ? .baked : .metadata, look: look, quality: quality ?? 85,
      bitRate: bitRate,
      hasThumbnail: !hasNoThumbnail)
  }
}

extension RecordingCodec: ExpressibleByArgument {
  public init?(argument: String) {
    guard let codec = RecordingCodec.all.first(where: { $0.rawValue == argument }) else { return nil }
    self = codec
  }

  public static var allValueStrings: [String] { all.map(\.rawValue) }
}
