import ArgumentParser
import Imagery

/// The options of `photo` that are only valid if the photo comes from a camera, not from a file.
struct CameraPhotoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "From a camera: photos of this many consecutive frames, 1 to 1000.", valueName: "N"))
  var burst: Int?
  @Option(
    help: ArgumentHelp(
      "From a camera: the same picture with these exposures, in EV, such as -2,0,2.", valueName: "EV,…"))
  var bracket: String?
  @Option(
    help: ArgumentHelp(
      "From a camera: the size of its frame, WxH; the camera's nearest size is used.", valueName: "SIZE"
    ))
  var size: String?
  @Option(
    help: ArgumentHelp(
      "From a camera: seconds from the first picture to the photo, 0 to 60, so that the exposure settles; 1 for a device, otherwise 0, if not given.",
      valueName: "S"))
  var delay: Double?
  @Option(
    help: ArgumentHelp("From a camera: a preset of its controls, set before the photo.", valueName: "NAME"))
  var preset: String?
  @Flag(help: "From a camera: leave time, camera and exposure out of the file.") var noMetadata = false

  var isGiven: Bool {
    burst != nil || bracket != nil || size != nil || delay != nil || preset != nil || noMetadata
  }

  func check() throws {
    guard (1...1000).contains(burst ?? 1) else {
      throw ValidationError("--burst must be 1 to 1000, not \(burst ?? 1)")
    }
    guard (0...60).contains(delay ?? 0) else {
      throw ValidationError("--delay must be 0 to 60 seconds, not \(delay ?? 0)")
    }
    guard burst == nil || bracket == nil else {
      throw ValidationError("--burst and --bracket both make several photos; give one of them")
    }
    if let bracket, biases == nil {
      throw ValidationError(
        "--bracket must be 1 to 32 numbers from -8 to 8 with commas between them, not \(bracket.prefix(40))")
    }
    if let size, PixelSize(size) == nil {
      throw ValidationError("--size must be WxH, such as 1920x1080, not \(size.prefix(40))")
    }
  }

  /// The biases of the bracket, in EV; nil if there is none, or if it is invalid.
  var biases: [Double]? {
    guard let bracket else { return nil }
    let numbers = bracket.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard (1...32).contains(numbers.count), numbers.allSatisfy({ $0.map { abs($0) <= 8 } ?? false }) else {
      return nil
    }
    return numbers.compactMap { $0 }
  }

  /// Whether the input that a user names is a camera rather than a file.
  static func isSource(_ input: String) -> Bool {
    ["/dev/video", "/dev/v4l/", "corpus:", "simulated:", "sensor:"].contains { input.hasPrefix($0) }
  }
}
