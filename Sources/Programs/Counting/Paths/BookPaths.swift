import Bibliography
import BookScan
import FoundationEssentials
import Glibc
import Imagery
import Library
import Probes

extension CountedPath {
  /// The processing of read lines, the queue, the library and its lists. The recogniser's network is not counted.
  static let books: [CountedPath] = [
    CountedPath(
      id: "scan.records", title: "Records of a photo whose lines were read", unit: "photo", group: .books
    ) { rig, counter in
      let (photo, lines) = (try Shelf.photo(), Shelf.lines)
      let reading = TextReading(lines: lines, recognizer: "drawn")
      counter.count(1) { _ = BookScanner.findings(in: photo, reading: reading) }
    },
    CountedPath(id: "queue.accept", title: "A photograph into the queue", unit: "photo", group: .books) {
      rig, counter in
      try await withStore { store in
        var number = 0
        try await counter.count(rows) {
          for _ in 0..<rows {
            number += 1
            let bytes = [UInt8]([0xFF, 0xD8]) + Array("photograph \(number)".utf8)
            try await store.queue.accept(
              Submission(
                key: .named("\(number)"), content: .image(bytes, mediaType: "image/jpeg"), capturedAt: moment)
            )
          }
        }
      }
    },
    CountedPath(id: "library.add", title: "A book into the library", unit: "book", group: .books) {
      rig, counter in
      try await withStore { store in
        var number = 0
        try await counter.count(rows) {
          for _ in 0..<rows {
            number += 1
            _ = try await store.library.add(Shelf.book(number), at: moment)
          }
        }
      }
    },
    CountedPath(id: "library.search", title: "A search in the library", unit: "search", group: .books) {
      rig, counter in
      try await withStore { store in
        for number in 0..<4 * rows {
          _ = try await store.library.add(Shelf.book(number), at: moment)
        }
        // First lets each of the library's connections read once, so that its statements are prepared.
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<4 * rows {
            group.addTask { _ = try await store.library.search("history of \(number)") }
          }
          try await group.waitForAll()
        }
        try await counter.count(4 * rows) {
          for number in 0..<4 * rows { _ = try await store.library.search("history of \(number)") }
        }
      }
    },
    CountedPath(id: "list.read", title: "A row of a list of books", unit: "row", group: .books) {
      rig, counter in
      let head = "title,author,isbn\n"
      let text = Array((head + (0..<4000).map { "\"History, of \($0)\",Ada Example,\n" }.joined()).utf8)
      try counter.count(4000) {
        var table = BookTable(of: [.title, .author, .isbn], need: .title)
        _ = try table.parse(text)
        _ = try table.end()
      }
    },
  ]

  private static let rows = 50
  /// The fixed time of all scans and of all additions to the library.
  private static let moment = Date(timeIntervalSince1970: 1e9)

  /// Calls `body` with a library of its own in memory, which is deleted afterwards.
  private static func withStore(_ body: (Store) async throws -> Void) async throws {
    let folder = "/dev/shm/swiftwing-counted-\(getpid())-books"
    try? FileManager.default.removeItem(atPath: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(Store(directory: folder))
  }

  /// A drawn shelf of twenty spines with two lines each.
  private enum Shelf {
    static let count = 20
    static let size = PixelSize(width: 60 * count, height: 800)

    static func photo() throws -> UprightPhoto {
      let image = try PixelBufferPool().makeBuffer(
        ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
      let (base, stride) = (
        image.planes[0].base.assumingMemoryBound(to: UInt8.self), image.planes[0].bytesPerRow
      )
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (pixel, spine) = (base + y * stride + x * 4, x / 60)
          let isGap = x % 60 < 4 || y < 20
          for channel in 0..<3 {
            pixel[channel] = isGap ? 5 : UInt8(60 + (spine * (37 + channel * 29)) % 180)
          }
          pixel[3] = 255
        }
      }
      return try UprightPhoto(image, orientation: .upright)
    }

    static let lines: [TextLine] = (0..<count).flatMap { spine in
      let x = Double(60 * spine + 32)
      return [
        line("THE HISTORY OF PART \(spine)", x, 300, 400, 22), line("Ada Example", x, 660, 160, 14),
      ]
    }

    private static func line(
      _ text: String, _ x: Double, _ y: Double, _ length: Double, _ height: Double
    ) -> TextLine {
      TextLine(
        text: text, confidence: 0.99,
        region: TextRegion(center: Point(x: x, y: y), length: length, height: height, angle: 90))
    }

    static func book(_ number: Int) -> BookFinding {
      BookFinding(title: "The History of \(number)", author: "Ada Example \(number % 7)")
    }
  }
}
