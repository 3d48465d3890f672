/// Tasks that wait for something to be said, each answered exactly once: with what was said, or, when it was cancelled before,
/// with nil. Confined to the actor that says it.
struct Waiters<News: Sendable> {
  private var waiting: [Int: CheckedContinuation<News?, Never>] = [:]
  private var last = 0

  var count: Int { waiting.count }

  mutating func newID() -> Int {
    last += 1
    return last
  }

  mutating func add(_ continuation: CheckedContinuation<News?, Never>, as id: Int) {
    waiting[id] = continuation
  }

  mutating func tell(_ news: News) {
    let all = waiting
    waiting = [:]
    for continuation in all.values { continuation.resume(returning: news) }
  }

  mutating func cancel(_ id: Int) { waiting.removeValue(forKey: id)?.resume(returning: nil) }
}
