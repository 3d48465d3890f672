import BookScan
import Imagery

// The documentation's examples, compiled but not run.

private func exampleBookScanner(bytes: [UInt8]) async throws {
  let (recognizer, notes) = try RecognizerChoice().makeRecognizer()
  for note in notes { print(note) }
  let scanner = BookScanner(recognizer: recognizer)
  let picture = try ImageFile.read(bytes)
  let findings = try scanner.scan(picture.image, orientation: picture.orientation, level: .accurate)
  for spine in findings.spines { print(spine.title, spine.author ?? "") }
}

private func exampleRecognitionWorker(bytes: [UInt8]) async throws {
  let worker = try RecognitionWorker()
  let result = try worker.scan(bytes, level: .accurate)
  for spine in result.findings.spines { print(spine.title, spine.author ?? "") }
}

private func exampleArticle1(bytes: [UInt8]) async throws {
  let models = try RecognitionModels(folder: ".build-models")
  let scanner = BookScanner(recognizer: try PaddleRecognizer(models))
  let picture = try ImageFile.read(bytes)
  let findings = try scanner.scan(picture.image, orientation: picture.orientation, level: .accurate)
  for spine in findings.spines { print(spine.title, spine.author ?? "") }
}

private func exampleArticle2(bytes: [UInt8]) async throws {
  let worker = try RecognitionWorker()
  let findings = try worker.scan(bytes, level: .accurate).findings
  _ = findings
}

private func exampleLegibilitySolver(
  profile: TokenProfile, picture: (image: PixelBuffer, orientation: Orientation)
) throws {
  let reader = LegibilityReader(worker: try RecognitionWorker())
  let goal = LegibilityGoal(profile: profile)
  let legibility = try LegibilitySolver(goal, reader: reader)
    .solve(picture.image, orientation: picture.orientation)
  print(legibility.photo.size, legibility.chosen.tokens, legibility.chosen.share)
}

private func exampleSpineCrop(bytes: [UInt8], outlines: [[Point]]) throws {
  let picture = try ImageFile.read(bytes)
  let photo = try UprightPhoto(picture.image, orientation: picture.orientation)
  let crops = try outlines.map { try SpineCrop(photo, outline: $0) }
  _ = crops
}
