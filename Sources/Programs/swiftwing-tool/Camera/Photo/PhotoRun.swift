import BookScan
import Console
import Foundation
import Harness
import Imagery
import System

struct PhotoRun {
  let input: String
  let output: Destination
  let settings: PhotoSettings
  /// The identifier of the named token profile; nil if none was named.
  let profile: String?
  /// The profiles whose tokens are printed.
  let profiles: [TokenProfile]
  let turn: Orientation
  let rounds: Int

  struct Outcome: Encodable {
    var out: String
    var width: Int
    var height: Int
    var storedWidth: Int
    var storedHeight: Int
    var exifOrientation: Int
    /// The JPEG quality; nil if the picture keeps its source's encoding.
    var quality: Int?
    var keepsEncoding: Bool
    var bytes: Int
    var tokens: [String: Int]
    /// The requested token profile; nil if there is none.
    var budget: String?
    /// The time of each round.
    var milliseconds: [Double]
    /// The choice of the size; nil if the size was given.
    var legible: LegibleOutcome?
    var notes: [String]

    var text: String {
      let cost =
        budget.map { "\(tokens[$0] ?? 0) tokens by \($0)" }
        ?? "\(tokens["seed"] ?? 0) tokens by the seed's table, \(tokens["gemini-2"] ?? 0) by Gemini's rule"
      if let legible {
        return
          "\(out): \(width)×\(height), \(bytes / 1000) kB, \(legible.tokens) tokens by \(legible.profile), \(legible.text)"
      }
      let time = milliseconds.map { String(format: "%.1f", $0) }.joined(separator: " ")
      return "\(out): \(width)×\(height), \(bytes / 1000) kB, \(cost), \(time) ms"
    }
  }

  func run() throws -> Outcome {
    let bytes = try InputFile.picture(input).bytes()
    let file: (image: PixelBuffer, orientation: Orientation, notes: [String])
    let photo: Photo
    var times: [Double] = []
    do throws(ImageError) {
      file = try ImageFile.read(bytes)
      let pipeline = PhotoPipeline()
      let orientation = file.orientation.followed(by: turn)
      var last = try process(pipeline, file.image, orientation: orientation, times: &times)
      for _ in 1..<rounds {
        last = try process(pipeline, file.image, orientation: orientation, times: &times)
      }
      photo = last
    } catch { throw Failure("cannot make a photo of \(input): \(error)", .usage) }
    try OutputFile(path: output.path).write(Data(photo.bytes))
    return outcome(photo, times, notes: file.notes + photo.notes)
  }

  /// Makes the photo at the cheapest legible size.
  func run(_ choice: LegibleChoice) throws -> Outcome {
    let bytes = try InputFile.picture(input).bytes()
    do {
      let file = try ImageFile.read(bytes)
      let (legibility, legible) = try choice.photo(
        file.image, orientation: file.orientation.followed(by: turn), settings: settings)
      let photo = legibility.photo
      try OutputFile(path: output.path).write(Data(photo.bytes))
      var outcome = outcome(
        photo, [legible.milliseconds], notes: file.notes + photo.notes + choice.notes(legibility, legible))
      outcome.legible = legible
      return outcome
    } catch let error as ImageError {
      throw Failure("cannot make a photo of \(input): \(error)", .usage)
    }
  }

  /// Makes photos of the picture's parts, or of the whole if that is better.
  /// - Parameter file: returns the destination for a path.
  func crops(_ choice: LegibleChoice, _ file: (String) throws -> Destination) throws -> CropsOutcome {
    let name = NumberedPath(path: output.path)
    // Checks the destinations before anything is read: the file names for up to nine crops, and those for more crops.
    for count in [1, CropLegibility.mostCrops] { _ = try file(name.numbered(0, of: count)) }
    let bytes = try InputFile.picture(input).bytes()
    do {
      let picture = try ImageFile.read(bytes)
      var outcome = try choice.crops(
        picture.image, orientation: picture.orientation.followed(by: turn), settings: settings
      ) { result in
        guard result.areChosen else {
          let photo = result.whole.photo
          let part = CropsOutcome.Part(
            out: output.path, width: photo.size.width, height: photo.size.height, bytes: photo.bytes.count,
            tokens: result.whole.chosen.tokens, box: nil, words: result.whole.words,
            kept: result.whole.chosen.kept)
          try OutputFile(path: output.path).write(Data(photo.bytes))
          return [part]
        }
        return try result.crops.enumerated().map { index, crop in
          let destination = try file(name.numbered(index, of: result.crops.count))
          try OutputFile(path: destination.path).write(Data(crop.photo.bytes))
          destination.tellReplaced()
          return CropsOutcome.Part(
            out: destination.path, width: crop.photo.size.width, height: crop.photo.size.height,
            bytes: crop.photo.bytes.count, tokens: crop.chosen.tokens, box: crop.box, words: crop.words,
            kept: crop.chosen.kept)
        }
      }
      outcome.notes = picture.notes + outcome.notes
      return outcome
    } catch let error as ImageError {
      throw Failure("cannot make a photo of \(input): \(error)", .usage)
    }
  }

  private func process(
    _ pipeline: PhotoPipeline, _ image: PixelBuffer, orientation: Orientation, times: inout [Double]
  ) throws(ImageError) -> Photo {
    let began = MonotonicTime.now()
    let photo = try pipeline.process(image, orientation: orientation, settings: settings)
    times.append((MonotonicTime.now() - began).milliseconds)
    return photo
  }

  private func outcome(_ photo: Photo, _ times: [Double], notes: [String]) -> Outcome {
    Outcome(
      out: output.path, width: photo.size.width, height: photo.size.height,
      storedWidth: photo.storedSize.width,
      storedHeight: photo.storedSize.height, exifOrientation: photo.exifOrientation,
      quality: photo.isEncodingPreserved ? nil : photo.quality, keepsEncoding: photo.isEncodingPreserved,
      bytes: photo.bytes.count,
      tokens: Dictionary(uniqueKeysWithValues: profiles.map { ($0.id, $0.tokens(for: photo.size)) }),
      budget: profile, milliseconds: times, notes: notes)
  }
}
