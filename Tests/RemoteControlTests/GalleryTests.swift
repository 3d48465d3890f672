import Foundation
import Glibc
import Imagery
import JSON
import System
import Testing

@testable import RemoteControl

/// Photos and recordings of the gallery: listing, describing, deleting, bringing back.
@Suite struct GalleryTests {
  private static let photo = "photo-2026-11-25T07-10-33.250.jpg"

  /// Clocks that a test sets: seconds that nobody sets back, and seconds since 1970.
  private final class Clocks: Sendable {
    let monotonic = Locked(1000.0)
    let unix = Locked(1_795_000_000.0)
    func pass(_ seconds: Double) {
      monotonic.withLock { $0 += seconds }
      unix.withLock { $0 += seconds }
    }
  }

  private func deleted(_ kind: DeletedFiles.Kind, _ folder: TestFolder, _ clocks: Clocks) -> DeletedFiles {
    DeletedFiles(
      kind, from: folder.path, clock: { clocks.monotonic.withLock { $0 } },
      unixTime: { clocks.unix.withLock { $0 } })
  }

  private func hidden(_ folder: TestFolder) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(DeletedFiles.folderName)")) ?? []
  }

  @Test func onlyNamesOfAViewfinderArePhotos() {
    for name in [
      Self.photo, "photo-2026-11-25T07-10-33.250-2.jpg", "photo-2026-11-25T07-10-33.250-12345.jpg",
    ] {
      #expect(PhotoList.isPhoto(name), "\(name)")
    }
    for name in [
      "", "photo.jpg", "holiday.jpg", "photo-2026-11-25T07-10-33.250.JPG",
      "photo-2026-11-25T07-10-33.250-.jpg",
      "photo-2026-11-25T07-10-33.250-1234567.jpg", "photo-2026-11-25T07-10-33.25a.jpg",
      "photo-2026-11-25T07-10-33.250-2\u{301}.jpg", "../\(Self.photo)", "\(Self.photo)/", ".\(Self.photo)",
      "film-2026-11-25T07-10-33.250.jpg", "photo-2026/11-25T07-10-33.250.jpg",
    ] { #expect(!PhotoList.isPhoto(name), "\(name)") }
  }

  /// The newest come first, other pictures and links are left out, and the number of listed photos has a limit.
  @Test func photosAreListedFromTheNewest() throws {
    let folder = try TestFolder()
    func name(_ number: Int) -> String {
      "photo-2026-11-25T07-10-33.\(String(format: "%03d", number % 1000))\(number < 1000 ? "" : "-2").jpg"
    }
    for number in 0..<1003 {
      folder.write("x", to: name(number))
      var times = [timespec(tv_sec: 1000 + number, tv_nsec: 0), timespec(tv_sec: 1000 + number, tv_nsec: 0)]
      utimensat(AT_FDCWD, "\(folder.path)/\(name(number))", &times, 0)
    }
    folder.write("x", to: "holiday.jpg")
    try folder.link("photo-2026-11-25T08-00-00.000.jpg", to: "holiday.jpg")
    let list = PhotoList(folder: folder.path)
    #expect(list.entries.count == 1000 && list.older == 3)
    #expect(list.entries.first == PhotoList.Entry(name: name(1002), time: 2002, byteCount: 1))
    #expect(list.entries.last?.name == name(3))
  }

  /// Nothing is lost before the time is over, even if the program ends meanwhile, and nothing is kept longer.
  @Test func aDeletedFileComesBackUntilItsTimeIsOver() throws {
    let (folder, clocks) = (try TestFolder(), Clocks())
    let film = "film-1.mp4"
    for name in [Self.photo, film, "film-1.jpg"] { folder.write(name, to: name) }
    var (photos, films) = (deleted(.photo, folder, clocks), deleted(.film, folder, clocks))
    let entry = try photos.delete(Self.photo)
    #expect(Double(entry.until) / 1000 == clocks.unix.withLock { $0 } + DeletedFiles.keptFor)
    _ = try films.delete(film)
    #expect(folder.names == [DeletedFiles.folderName] && hidden(folder).count == 3)
    // Another program finds both, each as what it is.
    clocks.pass(DeletedFiles.keptFor - 1)
    (photos, films) = (deleted(.photo, folder, clocks), deleted(.film, folder, clocks))
    for files in [photos, films] {
      #expect(!files.isDue)
      files.removeDue()
    }
    #expect(photos.entries.map(\.name) == [Self.photo] && films.entries.map(\.name) == [film])
    #expect(try films.restore(film))
    #expect(folder.names == [DeletedFiles.folderName, "film-1.jpg", film])
    #expect(try String(contentsOfFile: "\(folder.path)/\(film)", encoding: .utf8) == film)
    #expect(try !films.restore(film))
    clocks.pass(2)
    #expect(photos.isDue)
    photos.removeDue()
    #expect(folder.names == ["film-1.jpg", film] && photos.entries.isEmpty)
    #expect(try !photos.restore(Self.photo))
  }

  /// A clock that is set forward removes nothing early, and one that is set back keeps nothing for long.
  @Test func aClockThatIsSetChangesNothing() throws {
    let (folder, clocks) = (try TestFolder(), Clocks())
    folder.write("x", to: Self.photo)
    let photos = deleted(.photo, folder, clocks)
    _ = try photos.delete(Self.photo)
    clocks.unix.withLock { $0 += 1e6 }
    #expect(!photos.isDue)
    clocks.unix.withLock { $0 -= 1e8 }
    let next = deleted(.photo, folder, clocks)
    #expect(!next.isDue)
    clocks.monotonic.withLock { $0 += DeletedFiles.keptFor }
    #expect(photos.isDue && next.isDue)
  }

  /// Bringing back replaces no other file; links, folders and paths are not moved; the number of kept files has a limit.
  @Test func nothingElseIsMovedOrReplaced() throws {
    let (folder, clocks) = (try TestFolder(), Clocks())
    let photos = deleted(.photo, folder, clocks)
    folder.write("old", to: Self.photo)
    _ = try photos.delete(Self.photo)
    folder.write("new", to: Self.photo)
    #expect(throws: DeletedFiles.Failure.self) { try photos.restore(Self.photo) }
    #expect(try String(contentsOfFile: "\(folder.path)/\(Self.photo)", encoding: .utf8) == "new")
    try folder.link("link.jpg", to: Self.photo)
    for name in ["link.jpg", DeletedFiles.folderName, ".", "..", "", "../\(Self.photo)", "missing.jpg"] {
      #expect(throws: DeletedFiles.Failure.self, "\(name)") { try photos.delete(name) }
    }
    let other = try TestFolder()
    try other.link(DeletedFiles.folderName, to: folder.path)
    other.write("x", to: Self.photo)
    #expect(throws: DeletedFiles.Failure.self) { try deleted(.photo, other, clocks).delete(Self.photo) }
    #expect(other.names.contains(Self.photo))
    for _ in 1..<DeletedFiles.most {
      folder.write("x", to: "a.jpg")
      clocks.pass(0.01)
      _ = try photos.delete("a.jpg")
    }
    folder.write("x", to: "a.jpg")
    #expect(throws: DeletedFiles.Failure.self) { try photos.delete("a.jpg") }
    #expect(folder.names.contains("a.jpg"))
  }

  /// Commands and state: only what is listed is deleted, and the state has what can be brought back.
  @Test func aPhotoIsDeletedAndBroughtBack() async throws {
    let rig = try HubRig()
    rig.folder.write("x", to: Self.photo)
    rig.folder.write("x", to: "holiday.jpg")
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    for (index, name) in ["holiday.jpg", "../\(Self.photo)", "settings.json", ""].enumerated() {
      let answer = await rig.hub.ask(listener, "deletePhoto", ["name": .string(name)], id: "r\(index)")
      #expect(answer?["status"] == .string("refused"), "\(name)")
    }
    let answer = await rig.hub.ask(listener, "deletePhoto", ["name": .string(Self.photo)], id: "1")
    #expect(answer?["status"] == .string("accepted") && !rig.folder.names.contains(Self.photo))
    guard case .array(let entries)? = rig.hub.publisher.document["deleted"] else { throw CancellationError() }
    #expect(entries.first?["name"] == .string(Self.photo) && entries.first?["kind"] == .string("photo"))
    #expect(answer?["result"]?["until"] == entries.first?["until"])
    let back = await rig.hub.ask(listener, "restore", ["name": .string(Self.photo)], id: "2")
    #expect(back?["status"] == .string("accepted") && rig.folder.names.contains(Self.photo))
    #expect(rig.hub.publisher.document["deleted"] == .array([]))
    let again = await rig.hub.ask(listener, "restore", ["name": .string(Self.photo)], id: "3")
    #expect(again?["status"] == .string("refused"))
    await rig.hub.end()
  }

  /// The list and the report of a photo, by an admitted client.
  @Test func photosAreDescribed() async throws {
    let rig = try await ServerRig()
    var metadata = PhotoMetadata()
    metadata.exposureDuration = 0.02
    metadata.iso = 400
    metadata.model = "<b>Camera</b>"
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(
        pixelFormat: .i420, size: PixelSize(width: 64, height: 48), color: .jpeg))
    let made = try PhotoPipeline().process(
      image, orientation: Orientation(rotation: .clockwise90), settings: PhotoSettings(metadata: metadata))
    try Data(made.bytes).write(to: URL(filePath: "\(rig.rig.folder.path)/\(Self.photo)"))
    rig.rig.folder.write("no picture", to: "damaged.jpg")
    rig.rig.folder.write("film", to: "film.mp4")
    func json(_ path: String) async throws -> JSONValue {
      let answer = try await rig.answer([
        "GET \(path) HTTP/1.1", "Host: \(rig.host)", "Connection: close", rig.bearer,
      ])
      #expect(answer.contains("Content-Type: application/json"), "\(answer.prefix(300))")
      return try JSONParser.parse(Array((answer.components(separatedBy: "\r\n\r\n").last ?? "").utf8))
    }
    let list = try await json("/photos")
    guard case .array(let photos)? = list["photos"] else { throw CancellationError() }
    #expect(photos.map { $0["name"] } == [.string(Self.photo)] && list["older"] == .integer(0))
    let report = try await json("/photos/\(Self.photo)/report")
    #expect(report["width"] == .integer(48) && report["height"] == .integer(64))
    #expect(report["exposureDuration"] == .number(0.02) && report["iso"] == .integer(400))
    #expect(report["model"] == .string("<b>Camera</b>") && report["time"] == .null)
    guard case .array(let tokens)? = report["tokens"] else { throw CancellationError() }
    #expect(tokens.count == TokenProfile.all.count)
    #expect(tokens.first?["tokens"] == .whole(TokenProfile.all[0].tokens(for: made.size)))
    #expect(try await rig.status("/photos/damaged.jpg/report", [rig.bearer]) == 415)
    for path in [
      "/photos/film.mp4/report", "/photos/../\(Self.photo)/report", "/photos/..%2F\(Self.photo)/report",
      "/photos/%2e%2e/report", "/photos/\(Self.photo)/report/", "/photos/\(Self.photo)/other", "/photos/",
      "/recordings", "/photos/\(DeletedFiles.folderName)/report", "/photos/\(DeletedFiles.folderName)",
      "/ticket/photos", "/ticket/photos/\(Self.photo)/report",
    ] { #expect(try await rig.status(path, [rig.bearer]) == 404, "\(path)") }
    await rig.end()
  }
}
