import Foundation
import Glibc
import Imagery
import ScriptedPhotos
import System
import Testing

@testable import BookScan

/// A crash of the process that reads a photo ends only that process. The processes run this build, and are scripted.
@Suite struct WorkerTests {
  private func titles(_ worker: RecognitionWorker, _ script: String, tries: Int = 2) throws -> [String] {
    try worker.scan(try ScriptedPhoto.bytes(script), level: .fast, tries: tries).findings.spines.map(\.title)
  }

  private func refusal(_ worker: RecognitionWorker, _ script: String, tries: Int = 2) throws -> ScanError? {
    #expect(throws: ScanError.self) { try titles(worker, script, tries: tries) }
  }

  @Test func theScriptedPhotoIsBlankWhateverWasInMemory() throws {
    for _ in 0..<4 {
      let used = try #require(malloc(4 << 20))
      for stripe in 0..<4096 { memset(used + stripe * 1024, stripe % 2 == 0 ? 40 : 200, 1024) }
      free(used)
    }
    let photo = try UprightPhoto(file: ScriptedPhoto.bytes("book=Dune"))
    #expect(Set(photo.raster.luma()).count == 1)
  }

  @Test func findingsComeThroughWhole() throws {
    let worker = try ScriptedPhoto.worker()
    #expect(worker.name == "scripted" && worker.notes.isEmpty)
    let region = TextRegion(center: Point(x: 5.5, y: 0.1), length: 80, height: 1 / 3, angle: 90)
    var cost = ReadingCost()
    (cost.detection, cost.recognition) = (1.5, 0.25)
    let reading = TextReading(
      lines: [TextLine(text: "Тихий \"Дон\"\u{1B}", confidence: 0.123456789, region: region)],
      recognizer: "r",
      cost: cost)
    let result = try worker.scan(
      try ScriptedPhoto.bytes("book=Dune book=Emma"), level: .accurate, reading: reading)
    #expect(
      result.findings.lines == reading.lines && result.findings.size == PixelSize(width: 320, height: 240))
    #expect(result.findings.cost == cost && cost.total == 1.75)
    #expect(result.findings.spines.map(\.title) == ["Dune", "Emma"] && result.losses == 0)
    #expect(result.processorSeconds >= 0 && result.processorSeconds < 60)
  }

  @Test(arguments: [
    ("abort=lineCount", "signal 6, Aborted: scripted: assertion `lineCount' failed"), ("crash", "signal 4"),
    ("leave", "it left with status 3"), ("lie", "it sent an answer that cannot be read"),
  ])
  func aPhotoThatEndsTwoProcessesIsRefusedAndTheRestGoOn(script: String, reason: String) throws {
    let worker = try ScriptedPhoto.worker()
    #expect(try titles(worker, "book=Before") == ["Before"])
    let error = try #require(try refusal(worker, "book=Lost \(script)"))
    guard case .ended(2, let told) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(told.hasPrefix(reason))
    #expect(!error.description.contains("\n") && error.description.hasSuffix("."))
    #expect(try titles(worker, "book=After") == ["After"])
    #expect(worker.replacementTimes.count == 2)
  }

  @Test func aPhotoThatEndsOneProcessIsReadByTheNext() throws {
    let worker = try ScriptedPhoto.worker()
    let mark = FileManager.default.temporaryDirectory.appending(path: "once-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: mark) }
    let result = try worker.scan(try ScriptedPhoto.bytes("once=\(mark) book=Dune"), level: .fast)
    #expect(result.findings.spines.map(\.title) == ["Dune"] && result.losses == 1)
  }

  @Test func aPhotoThatNeverEndsIsEnded() throws {
    let worker = try ScriptedPhoto.worker(limit: .milliseconds(300))
    let error = try #require(try refusal(worker, "hang", tries: 1))
    #expect(error == .ended(workers: 1, reason: "it took longer than 0.3 seconds"))
  }

  @Test func aPhotoThatTakesAllMemoryIsEnded() throws {
    var settings = ScriptedPhoto.settings
    settings.memoryLimit = 1 << 30
    let worker = try RecognitionWorker(settings)
    guard !ScriptedPhoto.isSanitized else { return }
    let error = try #require(try refusal(worker, "fill"))
    #expect(error == .ended(workers: 2, reason: "signal 6, Aborted: scripted: no memory"))
    #expect(try titles(worker, "book=Dune") == ["Dune"])
  }

  /// Each photo leaves 200 MB allocated. If the process were not replaced, the fifth photo would run out of memory.
  @Test func aProcessThatKeepsMemoryIsReplacedInTime() throws {
    var settings = ScriptedPhoto.settings
    settings.memoryLimit = 1 << 30
    let worker = try RecognitionWorker(settings)
    guard !ScriptedPhoto.isSanitized else { return }
    var processes: Set<Int32> = []
    for number in 1...12 {
      let result = try worker.scan(try ScriptedPhoto.bytes("keep=200 book=\(number)"), level: .fast)
      #expect(result.losses == 0 && result.findings.spines.map(\.title) == ["\(number)"])
      processes.formUnion([worker.processIdentifier].compactMap { $0 })
    }
    #expect((3...6).contains(processes.count))
  }

  @Test func whatLibrariesPrintIsNoAnswer() throws {
    let worker = try ScriptedPhoto.worker()
    #expect(try titles(worker, "noise book=Dune") == ["Dune"])
    #expect(try titles(worker, "book=Emma") == ["Emma"])
  }

  @Test func aPhotoThatIsNoneIsToldAsItIs() throws {
    let worker = try ScriptedPhoto.worker()
    let error = #expect(throws: ScanError.self) { try worker.scan([1, 2, 3], level: .fast) }
    #expect(error == .image(.unrecognised))
    #expect(try titles(worker, "book=Dune") == ["Dune"] && worker.replacementTimes.isEmpty)
  }

  @Test func processesEndedBySomebodyElseCostNoTry() throws {
    let worker = try ScriptedPhoto.worker()
    let isOver = Locked(false)
    let killer = Thread {
      var kills = 0
      while kills < 8, !isOver.withLock({ $0 }) {
        kills += worker.killProcess() ? 1 : 0
        sched_yield()
      }
    }
    killer.start()
    defer { isOver.withLock { $0 = true } }
    for index in 0..<20 { #expect(try titles(worker, "book=Book-\(index)", tries: 1) == ["Book-\(index)"]) }
  }

  @Test func theProcessEndsWithItsOwner() throws {
    var worker: RecognitionWorker? = try ScriptedPhoto.worker()
    let identifier = try #require(worker?.processIdentifier)
    #expect(kill(identifier, 0) == 0)
    worker = nil
    // The process was reaped: no child has its identifier.
    #expect(waitpid(identifier, nil, WNOHANG) == -1)
  }

  @Test func aProgramThatIsMissingOrAnotherIsNamed() throws {
    for program in ["/nonexistent/swiftwing-tool", "/bin/true"] {
      let error = #expect(throws: ScanError.self) {
        try RecognitionWorker(RecognitionWorker.Settings(program: program))
      }
      #expect(try #require(error).description.contains("Cannot use \(program)"))
      #expect(try #require(error).isUnavailability)
    }
  }

  @Test func aStartThatTakesTooLongIsNoFaultOfTheInstallation() throws {
    var settings = ScriptedPhoto.settings
    settings.startLimit = .zero
    let error = #expect(throws: ScanError.self) { try RecognitionWorker(settings) }
    let text = try #require(error).description
    #expect(text.contains("it took longer than 0 seconds") && text.contains("try again when"))
    #expect(!text.contains("install SwiftWing"))
  }

  @Test func modelsThatAreMissingAreToldFromTheOtherSide() throws {
    let choice = RecognizerChoice(engine: .openvino, models: "/nonexistent")
    let error = #expect(throws: ScanError.self) {
      try RecognitionWorker(RecognitionWorker.Settings(choice: choice))
    }
    #expect(try #require(error).description.contains("/nonexistent/openvino/libopenvino_c.so is missing"))
  }

  @Test func aLongPathAndManyLanguagesAreToldAsTheyAre() throws {
    let folder = String(repeating: "/folder", count: 250)
    let error = #expect(throws: ScanError.self) {
      try RecognitionWorker(
        RecognitionWorker.Settings(choice: RecognizerChoice(engine: .openvino, models: folder)))
    }
    #expect(try #require(error).description.contains("\(folder)/openvino/libopenvino_c.so is missing"))
    let name = "Tesseract (\(String(repeating: "eng+", count: 120))rus)"
    func hello(_ name: String) -> WorkerMessage.Hello {
      WorkerMessage.Hello(
        version: WorkerMessage.version, name: name, notes: [], error: nil, processorSeconds: 0)
    }
    #expect(hello(name).isSound && !hello(String(repeating: "x", count: 1 << 20 + 1)).isSound)
  }

  @Test func whatAWorkerSaysIsCheckedBeforeItIsBelieved() throws {
    var findings = PhotoFindings(
      recognizer: "r", size: PixelSize(width: 10, height: 10), lines: [],
      spines: [
        SpineFinding(
          title: "Dune", isbn: "9780441172719", confidence: 1, box: Box(x: 0, y: 0, width: 1, height: 1),
          angle: 0)
      ])
    func isSound(_ seconds: Double = 1) -> Bool {
      WorkerMessage.Answer(number: 1, findings: findings, error: nil, processorSeconds: seconds).isSound
    }
    #expect(isSound() && !isSound(-1) && !isSound(.nan))
    findings.cost = ReadingCost()
    #expect(isSound())
    findings.cost?.secondScript = -1
    #expect(!isSound())
    findings.cost = nil
    findings.spines[0].isbn = "9780441172718"
    #expect(!isSound())
    findings.spines[0].isbn = nil
    findings.spines[0].certainty = .unlikely
    #expect(!isSound())
    findings.unlikely = findings.spines
    findings.spines[0].certainty = .doubtful
    #expect(isSound())
    findings.unlikely[0].outline.removeLast()
    #expect(!isSound())
    findings.unlikely[0].outline.append(Point(x: .nan, y: 0))
    #expect(!isSound())
    findings.unlikely = []
    findings.spines[0].title = String(repeating: "x", count: 8001)
    #expect(!isSound())
    findings.spines[0].title = ""
    findings.size.width = 0
    #expect(!isSound())
    findings.size.width = 1
    #expect(isSound())
    findings.spines[0].appearance = SpineAppearance(hash: PerceptualHash(bits: .max))
    #expect(isSound())
    findings.spines[0].appearance?.picture = Data([0xFF, 0xD8, 0xFF])
    #expect(isSound())
    findings.spines[0].appearance?.picture = Data("<svg>".utf8)
    #expect(!isSound())
    findings.spines[0].appearance?.picture = Data([0xFF, 0xD8, 0xFF] + Data(count: SpineCrop.byteLimit))
    #expect(!isSound())
    #expect(!WorkerMessage.Answer(number: 1, findings: nil, error: nil, processorSeconds: 0).isSound)
    #expect(WorkerProcess.lastLine(Array("one\ntw\u{1B}o.\r\n".utf8)) == "two")
  }
}

/// A photograph that once crashed the barcode library, read with the real recogniser. The test is skipped if it is missing.
@Suite struct WorkerBarcodeTests {
  private static let photo = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/barcodes/aborts-libzxing.jpg").standardizedFileURL.path
  static let isThere = FileManager.default.fileExists(atPath: photo)

  @Test(.enabled(if: isThere)) func theBarcodeThatAbortsTheLibraryEndsNothing() throws {
    var settings = RecognitionWorker.Settings()
    (settings.limit, settings.startLimit) = (.seconds(3600), .seconds(3600))
    guard let worker = try? RecognitionWorker(settings) else { return }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.photo)))
    // A fixed version of the library reads the photograph; other versions make the process end with the library's message.
    do { _ = try worker.scan(bytes, level: .fast) } catch {
      guard case ScanError.ended(2, let reason) = error else { throw error }
      #expect(reason.contains("lineCount"))
    }
    let next = try ScriptedPhoto.bytes("")
    #expect(try worker.scan(next, level: .fast).findings.spines.isEmpty)
  }
}
