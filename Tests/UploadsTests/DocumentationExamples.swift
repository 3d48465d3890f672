import Foundation
import Library
import Uploads

// The documentation's examples, compiled but not run.

private func exampleStore() async throws {
  let store = try Store(directory: "/home/me/books")
  print(try await store.library.count(), "books")
  print(try await store.queue.counts().pending, "scans to be handed to the backend")
}

private func exampleLibrary(store: Store) async throws {
  let library = store.library
  try await library.add(BookFinding(isbn: "9780441172719", title: "Dune", author: "Frank Herbert"))
  for book in try await library.search("dun") { print(book.title, book.author) }
}

private func exampleScanQueue(store: Store, jpeg: [UInt8]) async throws {
  let submission = Submission(content: .image(jpeg, mediaType: "image/jpeg"))
  let acceptance = try await store.queue.accept(submission)
  print(acceptance == .accepted ? "it is on disk" : "it was there before")
}

private func exampleUploader(store: Store, backend: any Backend, jpeg: [UInt8]) async throws {
  let uploader = Uploader(store: store, backend: backend)
  try await uploader.accept(Submission(content: .image(jpeg, mediaType: "image/jpeg")))
  await uploader.drain()
  for book in try await store.library.books() { print(book.title) }
}

private func exampleTalariaClient(store: Store) async throws {
  let client = try TalariaClient(
    TalariaSettings(server: "https://talaria.example"), device: BackendIdentity(directory: store.directory))
  let uploader = Uploader(store: store, backend: client)
  _ = uploader
}

private func exampleCoverCache(store: Store) async throws {
  let covers = try CoverCache(directory: "\(store.directory)/covers")
  for (_, address) in try await store.library.coverAddresses() {
    let cover = try await covers.cover(at: address)
    print(cover.mediaType, cover.bytes.count)
  }
}

private func exampleArticle1(jpeg: [UInt8]) async throws {
  let store = try Store(directory: Store.standardDirectory(ProcessInfo.processInfo.environment))
  let talaria = try TalariaClient(
    TalariaSettings(server: "https://talaria.example"), device: BackendIdentity(directory: store.directory))
  let uploader = Uploader(store: store, backend: talaria)
  try await uploader.accept(Submission(content: .image(jpeg, mediaType: "image/jpeg")))
  await uploader.drain()
}
