import BookScan
import Foundation
import Glibc
import Harness
import Testing

@testable import swiftwing_tool

@Suite struct DoctorTests {
  /// Returns the finding about `subject`.
  private func finding(_ subject: String, _ surroundings: Surroundings) throws -> Diagnosis {
    try #require(Examination(surroundings).findings.first { $0.subject == subject })
  }

  @Test func everyCommandCanRun() {
    let examination = Examination(.sound())
    #expect(examination.exitStatus == .success)
    #expect(examination.summary == "every command can run")
    #expect(!examination.findings.contains { $0.state == .missing })
  }

  @Test func whatIsNotOkNamesARemedyAndCommands() {
    var bare = Surroundings.sound()
    bare.hasProgram = { _ in false }
    bare.corpora = { [] }
    bare.cameras = { [] }
    bare.freeBytes = { _ in nil }
    bare.exists = { _ in false }
    bare.hasRealTime = false
    bare.videoCodecs = { [] }
    bare.startRecognizer = { _ in
      .failure(.unavailable(what: "it", reason: "it is not here", remedy: "get it"))
    }
    let findings = Examination(bare).findings
    #expect(findings.allSatisfy { $0.state != .ok && $0.remedy?.isEmpty == false && !$0.commands.isEmpty })
    #expect(findings.allSatisfy { !$0.line.contains("\n") })
  }

  /// Returns the findings that are not ok, except those that the invented machine always has, and the commands that cannot run.
  private func trouble(_ change: (inout Surroundings) -> Void) -> (findings: [Diagnosis], cannotRun: [String])
  {
    var surroundings = Surroundings.sound()
    let usual = Examination(surroundings).findings.filter { $0.state != .ok }
    change(&surroundings)
    let examination = Examination(surroundings)
    return (examination.findings.filter { $0.state != .ok && !usual.contains($0) }, examination.cannotRun)
  }

  @Test(arguments: [
    ("/usr/libexec/swiftwing/swiftwing", "viewfinder", ["bench", "view"]), ("ffmpeg", "video files", []),
    ("ffprobe", "video files", []), ("v4l2-compliance", "second opinion", []),
    ("/usr/libexec/swiftwing/swiftwing-render", "drawing of corpora", []),
  ])
  func aProgramThatIsMissingIsToldOnce(program: String, subject: String, cannotRun: [String]) {
    let trouble = trouble { $0.hasProgram = { $0 != program } }
    #expect(trouble.findings.map(\.subject) == [subject])
    #expect(trouble.findings.map(\.state) == [cannotRun.isEmpty ? .limited : .missing])
    #expect(trouble.cannotRun == cannotRun)
  }

  @Test(arguments: [[], ["mjpeg", "ffv1"]]) func videosWithoutH264AreNamed(_ codecs: [String]) {
    let trouble = trouble { $0.videoCodecs = { codecs } }
    #expect(trouble.findings.map(\.subject) == ["recording"] && trouble.cannotRun == [])
    #expect(
      trouble.findings.first?.detail.hasPrefix(codecs.isEmpty ? "FFmpeg's libraries" : "no encoder") == true)
  }

  @Test(arguments: [("shelf-pan", ["bench", "view"]), ("turn", ["bench"])])
  func aCorpusThatIsMissingIsNamed(name: String, cannotRun: [String]) {
    let trouble = trouble { $0.corpora = { PlaceChecks.bundled.subtracting([name]) } }
    #expect(trouble.findings.map(\.subject) == ["corpora"] && trouble.cannotRun == cannotRun)
    #expect(trouble.findings.first?.detail == "\(name) not found")
  }

  @Test func aFolderForReportsNeedsRoomAndThreadsAPriority() {
    #expect(
      trouble { $0.freeBytes = { $0 == "." ? 16 << 20 : 8 << 30 } }.findings.map(\.subject) == ["reports"])
    #expect(trouble { $0.hasRealTime = false }.findings.map(\.subject) == ["real-time threads"])
    #expect(trouble { $0.hasRealTime = false }.cannotRun == [])
  }

  /// A folder with the program's name, or a file without execute permission, is no program.
  @Test func aProgramIsAFileThatMayBeRun() throws {
    let root = try MadeUpRoot(["/a/ffmpeg/": "", "/b/ffmpeg": "#!/bin/sh\n", "/c/ffmpeg": "#!/bin/sh\n"])
    chmod("\(root.path)/c/ffmpeg", 0o755)
    let (a, b, c) = ("\(root.path)/a", "\(root.path)/b", "\(root.path)/c")
    #expect(!Surroundings.hasProgram("ffmpeg", path: "\(a):\(b)"))
    #expect(Surroundings.hasProgram("ffmpeg", path: "\(a):\(b)::\(c)"))
    #expect(!Surroundings.hasProgram("ffmpeg", path: ""))
    #expect(
      Surroundings.hasProgram("\(c)/ffmpeg", path: "") && !Surroundings.hasProgram("\(a)/ffmpeg", path: c))
  }

  @Test func whatIsFoundHereIsALineEach() {
    let findings = Examination(.thisMachine()).findings
    #expect(findings.count >= 10 && findings.allSatisfy { !$0.line.contains("\n") })
  }

  @Test func aMachineWithoutACameraLacksTheSourceAlone() throws {
    var surroundings = Surroundings.sound()
    surroundings.cameras = { [] }
    #expect(Examination(surroundings).exitStatus == .sourceUnavailable)
    #expect(Examination(surroundings).cannotRun == ["qualify"])
    surroundings.corpora = { ["turn"] }
    #expect(Examination(surroundings).exitStatus == .failed)
  }

  @Test func aCameraThatNoDriverHasTakenIsTold() throws {
    let root = try MadeUpRoot([
      "/sys/module/videodev/": "", "/sys/bus/usb/devices/1-1:1.0/bInterfaceClass": "0e\n",
      "/sys/bus/usb/devices/1-2:1.0/bInterfaceClass": "03\n",
    ])
    var surroundings = Surroundings.sound(root: root.path)
    surroundings.cameras = { [] }
    #expect(try finding("cameras", surroundings).remedy?.contains("modprobe uvcvideo") == true)
    let taken = try MadeUpRoot([
      "/sys/module/videodev/": "", "/sys/bus/usb/devices/1-1:1.0/bInterfaceClass": "0e\n",
      "/sys/bus/usb/devices/1-1:1.0/driver/": "",
    ])
    surroundings.root = taken.path
    #expect(try finding("cameras", surroundings).detail == "there is none")
    // A keyboard interface is not taken for a camera without a driver.
    let keyboard = try MadeUpRoot([
      "/sys/module/videodev/": "", "/sys/bus/usb/devices/1-2:1.0/bInterfaceClass": "03\n",
    ])
    surroundings.root = keyboard.path
    #expect(try finding("cameras", surroundings).detail == "there is none")
    let empty = try MadeUpRoot(["/sys/bus/usb/devices/": ""])
    surroundings.root = empty.path
    #expect(try finding("cameras", surroundings).detail.contains("no camera driver is loaded"))
  }

  @Test func aForbiddenCameraIsMissingWithItsRemedy() throws {
    var surroundings = Surroundings.sound()
    surroundings.cameras = { [.init(path: "/dev/video2", name: "B", refusal: .forbidden)] }
    let found = try finding("camera /dev/video2", surroundings)
    #expect(found.state == .missing && found.remedy?.contains("usermod -aG video") == true)
    #expect(Examination(surroundings).exitStatus == .failed)
    surroundings.cameras = { [.init(path: "/dev/video2", name: "B", refusal: .other("it is busy"))] }
    let busy = try finding("camera /dev/video2", surroundings)
    #expect(busy.state == .limited && busy.detail == "B: it is busy")
    surroundings.cameras = { [.init(path: "/dev/video2", name: "B", refusal: .other("It is busy."))] }
    #expect(try finding("camera /dev/video2", surroundings).detail == "B: It is busy")
    surroundings.cameras = { throw ScanError.unavailable(what: "/dev", reason: "closed", remedy: "open it") }
    #expect(try finding("cameras", surroundings).state == .missing)
    #expect(Examination(surroundings).exitStatus == .failed)
  }

  @Test func aMotionSensorThatMayNotBeSetUpIsLimited() throws {
    let root = try MadeUpRoot([
      "/sys/bus/iio/devices/iio:device0/in_accel_x_raw": "1\n",
      "/sys/bus/iio/devices/iio:device0/name": "accel_3d\n",
      "/sys/bus/iio/devices/iio:device1/in_temp_raw": "1\n",
    ])
    #expect(try finding("motion sensor iio:device0", .sound(root: root.path)).detail == "accel_3d")
    let sensors = Examination(.sound(root: root.path)).findings.filter { $0.subject.hasPrefix("motion") }
    #expect(sensors.map(\.state) == [.ok], "a thermometer is no motion sensor")
    let buffered = try MadeUpRoot([
      "/sys/bus/iio/devices/iio:device0/in_accel_x_raw": "1\n",
      "/sys/bus/iio/devices/iio:device0/buffer/enable": "0\n",
    ])
    // The sensor's device node is missing, so the sensor cannot be read.
    let found = try finding("motion sensor iio:device0", .sound(root: buffered.path))
    #expect(found.state == .limited && found.remedy?.contains("udev rule") == true)
  }

  @Test func withoutModelsTesseractReadsAndWithoutBothScanCannotRun() throws {
    var surroundings = Surroundings.sound()
    let gone = ScanError.unavailable(what: "the PP-OCRv6 models", reason: "a file is missing", remedy: "-")
    surroundings.startRecognizer = { $0.engine == .openvino ? .failure(gone) : .success("Tesseract 5.3.0") }
    let limited = try finding("recogniser", surroundings)
    #expect(limited.state == .limited && limited.detail.contains("Tesseract 5.3.0"))
    #expect(limited.detail.contains("(the PP-OCRv6 models: a file is missing)"))
    #expect(limited.remedy == "run `swiftwing models`")
    #expect(Examination(surroundings).exitStatus == .success)
    surroundings.startRecognizer = { _ in .failure(gone) }
    #expect(try finding("recogniser", surroundings).state == .missing)
    #expect(Examination(surroundings).cannotRun == ["scan", "talaria serve"])
  }

  @Test func withoutRussianOnlyCyrillicTitlesAreMissed() throws {
    var surroundings = Surroundings.sound()
    surroundings.startRecognizer = { choice in
      choice.languages == "rus"
        ? .failure(.unavailable(what: "Tesseract", reason: "no data", remedy: "-")) : .success("x")
    }
    #expect(try finding("Cyrillic titles", surroundings).state == .limited)
    #expect(Examination(surroundings).exitStatus == .success)
  }

  @Test func aLibraryNeedsAPlaceAndRoom() throws {
    var surroundings = Surroundings.sound()
    surroundings.environment = [:]
    #expect(try finding("library", surroundings).state == .missing)
    surroundings.environment = ["XDG_DATA_HOME": "/data"]
    surroundings.freeBytes = { _ in 4 << 20 }
    #expect(try finding("library", surroundings).state == .missing)
    surroundings.freeBytes = { _ in 100 << 20 }
    #expect(try finding("library", surroundings).state == .limited)
  }

  @Test func aFolderThatIsNotThereYetIsMadeWhereThereIsRoom() throws {
    var surroundings = Surroundings.sound()
    surroundings.freeBytes = { ["/home/ada", "."].contains($0) ? 8 << 30 : nil }
    surroundings.exists = { $0 == "/home/ada" || $0 == "/home" || $0.isEmpty }
    #expect(try finding("library", surroundings).state == .ok)
    surroundings.exists = { _ in true }
    #expect(try finding("library", surroundings).detail.contains("cannot be written"))
  }

  @Test func theDocumentHasWhatTheLinesSay() throws {
    let data = try JSONEncoder().encode(Examination(.sound()))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(document["cannotRun"] as? [String] == [])
    let told = Examination(.sound()).findings
    #expect(findings.map { $0["subject"] as? String } == told.map(\.subject))
    #expect(findings.map { $0["state"] as? String } == told.map(\.state.rawValue))
    #expect(findings.map { $0["detail"] as? String } == told.map(\.detail))
    #expect(findings.map { $0["remedy"] as? String } == told.map(\.remedy))
    #expect(findings.map { $0["commands"] as? [String] } == told.map(\.commands))
    #expect(told.contains { $0.remedy != nil })
  }
}
