import System
import Testing

@testable import Capture

/// Broadcasts to listeners that come and go.
@Suite struct BroadcastTests {
  @Test func everyListenerBeginsWithWhatHolds() async {
    let news = Broadcast<Int>()
    let first = news.listen(from: [1])
    news.tell(2)
    let second = news.listen(from: [2])
    news.tell(3)
    news.finish()
    #expect(await first.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    #expect(await second.reduce(into: []) { $0.append($1) } == [2, 3])
  }

  @Test func whoHasLeftIsTakenOut() async {
    let news = Broadcast<Int>()
    for _ in 0..<100 {
      let stream = news.listen(from: [0])
      let listener = Task { for await _ in stream {} }
      listener.cancel()
      await listener.value
      #expect(news.listenerCount == 1)
    }
    news.tell(1)
    #expect(news.listenerCount == 0)
  }

  /// Cancels listening tasks while another thread sends to them; neither may wait for the other. On a machine that also runs two
  /// thousand other tests and a compiler, this takes minutes; a deadlock never ends.
  @Test(.timeLimit(.minutes(10))) func cancellingAndTellingAtOnceGoOn() async {
    let news = Broadcast<Int>()
    let isOver = Locked(false)
    // These run on their own threads, because a deadlock would block all threads of the task pool.
    async let telling: Void = NamedThread.aside(name: "teller") {
      while !isOver.withLock({ $0 }) { news.tell(1) }
    }
    for _ in 0..<5000 {
      let stream = news.listen(from: [])
      let listener = Task { for await _ in stream { await Task.yield() } }
      await Task.yield()
      listener.cancel()
      await listener.value
    }
    isOver.withLock { $0 = true }
    await telling
  }
}
