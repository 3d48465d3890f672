import Foundation

/// A server that accepts one connection on 127.0.0.1, and sends each text when the test calls `say`.
final class SpokenServer: Sendable {
  let url: String
  private let listener: CInt
  private let words: (stream: AsyncStream<String>, continuation: AsyncStream<String>.Continuation)

  init() {
    let listener = Loopback.listen()
    self.listener = listener.descriptor
    url = listener.url
    words = AsyncStream.makeStream(of: String.self)
    let stream = words.stream
    Thread.detachNewThread { [descriptor = listener.descriptor] in
      let connection = accept(descriptor, nil, nil)
      Task {
        for await word in stream where connection >= 0 {
          _ = send(connection, word, word.utf8.count, CInt(MSG_NOSIGNAL))
        }
        close(connection)
        close(descriptor)
      }
    }
  }

  func say(_ word: String) { words.continuation.yield(word) }

  deinit {
    words.continuation.finish()
    shutdown(listener, CInt(SHUT_RDWR))
  }
}
