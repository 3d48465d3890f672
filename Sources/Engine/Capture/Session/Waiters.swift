/// Tasks that wait for a value. Each is answered exactly once: with the value, or with nil if it was cancelled before. Confined to the actor that
/// sends the value.
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
