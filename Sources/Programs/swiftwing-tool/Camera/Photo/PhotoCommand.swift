public import ArgumentParser
import BookScan
import Console
import Foundation
import Harness
public import Imagery

struct PhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract:
      "Make a photo of a picture file, or of a camera's frame, as the engine does: upright, sized, encoded.",
    usage: """
      swiftwing photo IN --out OUT [--long-side N]
                      [--max-tokens N --budget PROFILE] [--rotate DEGREES]
                      [--mirror] [--tag | --bake] [--quality N] [--look FILE]
                      [--priority speed|balanced|quality] [--repeat N]
                      [--replace] [--json]
      swiftwing photo IN|SRC --out OUT --legible [SHARE] [--budget PROFILE]
                      [--max-tokens N] [--crops] [--level fast|accurate]
                      [--recognizer-engine openvino|tesseract]
                      [--languages LANGUAGES] [--models FOLDER]
      swiftwing photo SRC --out OUT [--burst N | --bracket EV,EV]
                      [--size WxH] [--delay S] [--preset NAME]
                      [--no-metadata] [those above, but --mirror, --repeat]
      """,
    discussion: """
      The file of a camera's photo contains the time, the camera and the exposure, as far as they are known; \
      never the place, the person or the single device. Several photos are numbered: shelf-1.jpg, \
      shelf-2.jpg. An existing file is only replaced with --replace. With a camera, --rotate gives the angle \
      at which the device is held, clockwise from upright.

      --legible reads the picture at full size and at a few smaller sizes, up to 1920 pixels and within \
      --max-tokens, and takes the cheapest that keeps the given share of the words. If no size keeps it, the \
      photo is the one that keeps most, and a note reports this. If nothing can be read, the height of the \
      letters decides, and a note reports that. Each reading takes seconds. With --crops, the parts with \
      text in them, such as the rows of a shelf, become separate photos if these keep more of the words, or \
      as many for fewer tokens.
      """)

  @Argument(help: ArgumentHelp("A JPEG or PNG file, or a camera.", valueName: "IN")) var input: String
  @Option(help: ArgumentHelp("The photo to write; its name ends in .jpg or .png.", valueName: "OUT")) var out:
    String
  @Option(
    help: ArgumentHelp("Longest side in pixels, at most 1920; nothing is enlarged.", valueName: "N"))
  var longSide: Int?
  @Option(help: ArgumentHelp("Most tokens that the photo may cost by --budget.", valueName: "N"))
  var maxTokens: Int?
  @Option(
    help: ArgumentHelp(
      "The token profile: \(TokenProfile.all.map(\.id).joined(separator: ", ")); for --max-tokens by default seed.",
      valueName: "PROFILE"))
  var budget: String?
  @Option(
    help: ArgumentHelp(
      "Turn clockwise by 0, 90, 180 or 270 degrees, after the turn that EXIF asks for.", valueName: "DEGREES")
  ) var rotate =
    0
  @Flag(help: "Mirror the picture before --rotate.") var mirror = false
  @Flag(help: "Leave the pixels as they are and write the turn into EXIF.") var tag = false
  @Flag(help: "Turn the pixels (the default).") var bake = false
  @Option(
    help: ArgumentHelp(
      "JPEG quality, 1 to 100. Without it 85, but a JPEG picture of which nothing changes but its orientation stays encoded as it is.",
      valueName: "N"))
  var quality: Int?
  @Option(help: ArgumentHelp("Give the photo the look of this .cube file.", valueName: "FILE"))
  var look: String?
  @Option(
    help: ArgumentHelp("Make the photo this many times, and print the time of each.", valueName: "N"))
  var `repeat` = 1
  @Option(
    help: ArgumentHelp("What the photo is made for: speed, balanced or quality.", valueName: "PRIORITY"))
  var priority = PhotoPriority.balanced
  @Flag(help: "Replace a photo that exists.") var replace = false
  @OptionGroup(title: "A size that can be read") var legibility: LegibleOptions
  @OptionGroup(title: "A camera's photo") var camera: CameraPhotoOptions
  @Flag(help: "Print the result as JSON.") var json = false

  func validate() throws {
    guard Rotation(rawValue: rotate) != nil else {
      throw ValidationError("--rotate must be 0, 90, 180 or 270, not \(rotate)")
    }
    guard (1...100).contains(quality ?? 85) else {
      throw ValidationError("--quality must be 1 to 100, not \(quality ?? 85)")
    }
    let most = PhotoSettings().maximumLongSide
    if let longSide, !(1...most).contains(longSide) {
      throw ValidationError("--long-side must be 1 to \(most), not \(longSide)")
    }
    guard maxTokens ?? 1 > 0 else {
      throw ValidationError("--max-tokens must be above zero, not \(maxTokens ?? 1)")
    }
    guard (1...100_000).contains(self.repeat) else {
      throw ValidationError("--repeat must be 1 to 100000, not \(self.repeat)")
    }
    guard longSide == nil || maxTokens == nil else {
      throw ValidationError("--long-side and --max-tokens both choose the size; give one of them")
    }
    guard !(tag && bake) else {
      throw ValidationError("--tag and --bake cannot be combined; give one of them")
    }
    guard
      out.lowercased().hasSuffix(".jpg") || out.lowercased().hasSuffix(".jpeg")
        || out.lowercased().hasSuffix(".png")
    else { throw ValidationError("--out must end in .jpg, .jpeg or .png, and \(out) does not") }
    try camera.check()
    try legibility.check(
      longSide: longSide, isRepeated: self.repeat != 1,
      isSeveral: camera.burst != nil || camera.bracket != nil)
    if CameraPhotoOptions.isSource(input) {
      guard !legibility.crops else {
        throw ValidationError(
          "--crops needs a picture file, and \(input) is a source of frames; take a photo first and name its file"
        )
      }
      guard !mirror, self.repeat == 1 else {
        throw ValidationError("--mirror and --repeat are for files; use --burst for more photos of a camera")
      }
    } else if camera.isGiven {
      throw ValidationError(
        "--burst, --bracket, --size, --delay, --preset and --no-metadata are for cameras, and \(input) "
          + "is a file; leave them out")
    }
  }

  func run() async throws {
    _ = try TokenProfiles.named(budget)
    if CameraPhotoOptions.isSource(input) { return try await takePhotos() }
    let job = PhotoRun(
      input: input,
      output: try Destination(out, madeOf: [input] + (look.map { [$0] } ?? []), mayReplace: replace),
      settings: try settings(), profile: budget, profiles: try TokenProfiles.known(),
      turn: Orientation(rotation: Rotation(rawValue: rotate) ?? .none, isMirrored: mirror),
      rounds: self.repeat)
    let choice = try choice()
    if legibility.crops, let choice { return try makeCrops(job, choice) }
    let outcome = try choice.map { try job.run($0) } ?? job.run()
    if json { try Terminal.say(json: outcome) } else { Terminal.say(outcome.text) }
    job.output.tellReplaced()
    for note in outcome.notes { Terminal.tell("note: \(note)") }
  }

  private func makeCrops(_ job: PhotoRun, _ choice: LegibleChoice) throws {
    let outcome = try job.crops(choice) { path in
      try Destination(path, madeOf: [input] + (look.map { [$0] } ?? []), mayReplace: replace)
    }
    if json {
      try Terminal.say(json: outcome)
    } else {
      for line in outcome.text { Terminal.say(line) }
    }
    if !outcome.areCrops { job.output.tellReplaced() }
    for note in outcome.notes { Terminal.tell("note: \(note)") }
  }

  private func takePhotos() async throws {
    let job = CameraPhotoJob(
      source: input, path: out, inputs: look.map { [$0] } ?? [], mayReplace: replace,
      settings: try settings(), angle: rotate == 0 ? nil : Rotation(rawValue: rotate), options: camera)
    let outcome = try await job.run(try choice())
    if json { try Terminal.say(json: outcome) } else { outcome.tell() }
    for note in outcome.notes { Terminal.tell("note: \(note)") }
    if outcome.hasFailed { throw ExitCode(.failed) }
  }

  private var legible: Double? { legibility.legible }

  /// Returns nil if the size is given.
  private func choice() throws -> LegibleChoice? {
    guard legible != nil else { return nil }
    return try LegibleChoice(
      legibility, goal: legibility.goal(TokenProfiles.named(budget), maxTokens: maxTokens))
  }

  private func settings() throws -> PhotoSettings {
    var settings = PhotoSettings(
      longSide: longSide ?? 1024, orientationMode: tag ? .tagged : .baked, quality: quality ?? 85,
      preservesEncoding: quality == nil, priority: priority, writesMetadata: !camera.noMetadata)
    if legible == nil, let maxTokens {
      settings.tokenBudget = .init(profile: try TokenProfiles.named(budget), maxTokens: maxTokens)
    }
    if longSide == nil { settings.tokenCeiling = PhotoSettings().tokenCeiling }
    if let look {
      do throws(LookupError) { settings.look = try ColorLookup(file: look) } catch {
        throw Failure("cannot use \(look): \(error)", .usage)
      }
    }
    if out.lowercased().hasSuffix(".png") { (settings.container, settings.maximumBytes) = (.png, nil) }
    return settings
  }
}

extension PhotoPriority: ExpressibleByArgument {}
