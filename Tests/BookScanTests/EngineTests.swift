import Foundation
import Glibc
import Imagery
import Testing

@testable import BookScan

@Suite struct EngineTests {
  @Test func missingModelsAreNamedInOneSentence() throws {
    let error = #expect(throws: ScanError.self) { try RecognitionModels(folder: "/nonexistent") }
    let text = try #require(error).description
    #expect(
      text.contains("/nonexistent/openvino/libopenvino_c.so is missing") && text.contains("swiftwing models"))
    #expect(!text.contains("\n") && text.hasSuffix("."))
  }

  @Test func anEmptyVariableNamesNoFolderOfModels() async {
    await #expect(processExitsWith: .exitCode(7)) {
      setenv("SWIFTWING_MODELS", "", 1)
      let usual = RecognitionModels.folder(executable: "/nonexistent/swiftwing")
      setenv("SWIFTWING_MODELS", "/named", 1)
      let named = RecognitionModels.folder(executable: "/nonexistent/swiftwing")
      exit(usual.hasSuffix("/.cache/swiftwing/models") && named == "/named" ? 7 : 1)
    }
  }

  @Test func aLibraryThatIsNoneIsRefused() throws {
    let error = #expect(throws: ScanError.self) { try OpenVINORuntime(library: "/dev/null") }
    #expect(try #require(error).description.contains("Cannot use OpenVINO"))
    let other = #expect(throws: ScanError.self) { try TesseractRecognizer(library: "libnothing.so.9") }
    #expect(try #require(other).description.contains("install libtesseract5"))
  }

  @Test func aPrecisionThatIsNoneIsRefused() throws {
    #expect(try InferencePrecision.named(nil) == nil && InferencePrecision.named("f32") == .single)
    let error = #expect(throws: ScanError.self) { try InferencePrecision.named("int8") }
    let text = try #require(error).description
    #expect(text.contains("SWIFTWING_PRECISION is \"int8\"") && text.contains("set it to f32 or bf16"))
  }

  @Test func aLanguageThatIsMissingIsNamedWithItsPackage() throws {
    for (languages, package) in [("xyz", "tesseract-ocr-xyz"), ("chi_nix", "tesseract-ocr-chi-nix")] {
      let error = #expect(throws: ScanError.self) { try TesseractRecognizer(languages: languages) }
      let text = try #require(error).description
      #expect(text.contains(package) && !text.contains("\n") && text.hasSuffix("."))
    }
    let error = #expect(throws: ScanError.self) { try SecondScript(language: "../../etc/passwd") }
    #expect(try #require(error).description.contains("names no languages"))
  }

  @Test func aVariableThatHidesTheDataIsNamed() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // A folder without data; Tesseract 5.5 ignores one that does not exist.
      setenv("TESSDATA_PREFIX", "/proc", 1)
      do throws(ScanError) { _ = try TesseractRecognizer() } catch {
        let text = error.description
        // Without Tesseract's library, the sentence is about that.
        exit(!text.contains("no data") || text.contains("unset TESSDATA_PREFIX") ? 7 : 1)
      }
      exit(1)
    }
  }

  @Test func theCharacterListIsFoundInTheMetadata() throws {
    // A ModelProto with ir_version = 8, a field of bytes, and metadata_props {key: "character", value: "a\nb\n"}.
    let entry: [UInt8] = [0x0A, 9] + Array("character".utf8) + [0x12, 4] + Array("a\nb\n".utf8)
    let model: [UInt8] = [0x08, 8, 0x3A, 2, 1, 2, 0x72, UInt8(entry.count)] + entry
    let file = FileManager.default.temporaryDirectory.appending(path: "characters-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(model).write(to: file)
    #expect(CharacterList(model: file.path)?.characters == ["", "a", "b", " "])
    try Data(model.prefix(20)).write(to: file)
    #expect(CharacterList(model: file.path) == nil)
    // The length leads beyond the end of the file.
    try Data([0x72, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]).write(to: file)
    #expect(CharacterList(model: file.path) == nil)
  }

  @Test func cyrillicIsToldFromLatin() {
    #expect(
      SecondScript.isCyrillic("Спартак") && !SecondScript.isCyrillic("Cnapmak")
        && !SecondScript.isCyrillic("до"))
    let line = { (confidence: Double) in
      TextLine(
        text: "abcdef", confidence: confidence,
        region: TextRegion(center: Point(x: 0, y: 0), length: 100, height: 20, angle: 0))
    }
    #expect(SecondScript.isSuspected([0.7, 0.8, 0.6, 0.95].map(line)))
    #expect(!SecondScript.isSuspected([0.99, 0.98, 0.6, 0.95].map(line)))
    #expect(!SecondScript.isSuspected([]))
  }

  @Test func aPhotoTooLargeIsRefused() throws {
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 20_000, height: 6_000), color: .jpeg)
    let image = PixelBuffer(format: format, planes: [], lender: nil)
    #expect(throws: ScanError.self) { try UprightPhoto(image, orientation: .upright) }
  }
}

@Suite struct ScoringTests {
  @Test func wordsAreComparedAsTheMetricSays() {
    #expect(TitleScore.words("Córrer per ser feliç!") == ["correr", "per", "ser", "felic"])
    #expect(TitleScore.titleWords("Mechanics (second copy) of an Ox") == ["mechanics"])
    let read = ReadText(["THE SILENTRIVER", "Jane Hollaway"])
    #expect(read.holds("The Silent River"))
    #expect(read.share(of: "Holloway") == 1)
    #expect(read.share(of: "The Loud River") == 2.0 / 3)
    #expect(read.share(of: "(hidden)") == nil)
  }

  @Test func booksPairOneToOne() throws {
    let truth = try ShelfTruth(
      json: Data(
        """
        {"photos": [{"file": "a.jpg", "complete": true, "spines": [
          {"title": "Twin", "author": null, "text_rotation_cw": 90}, {"title": "Twin", "author": null},
          {"title": "Alone", "author": "B", "text_rotation_cw": 0}]}]}
        """.utf8))
    let photo = try #require(truth.photos.first)
    let score = ShelfScore(
      photo, lines: ["TWIN", "TWIN"],
      books: [("Twin", nil), ("Twin Alone", nil), ("Twin", "Somebody"), ("Nothing", nil)])
    #expect(score.titles == 3 && score.titlesRead == 2)
    // The record with both titles pairs with only one spine, so none is left for the third "Twin".
    #expect(score.books == 4 && score.booksRight == 3)
  }
}
