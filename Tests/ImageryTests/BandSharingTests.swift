import System
import Testing

@testable import Imagery

/// Work divided between two threads.
struct BandSharingTests {
  /// Counts how often each band was done, and how many bands the helper thread did.
  private struct Noting: BandWork {
    let done: Locked<[Int: Int]>
    let helped: Locked<Int>

    func perform(_ band: Int, on thread: BandThread) {
      done.withLock { $0[band, default: 0] += 1 }
      helped.withLock { $0 += thread == .helper ? 1 : 0 }
    }
  }

  @Test(arguments: [0, 1, 2, 7, 1000]) func everyBandIsDoneOnce(count: Int) {
    let sharing = BandSharing<Noting>(name: "test-band")
    for _ in 0..<20 {
      let noting = Noting(done: Locked([:]), helped: Locked(0))
      sharing.run(noting, count: count)
      #expect(noting.done.withLock { $0.count == count && $0.values.allSatisfy { $0 == 1 } })
    }
  }

  @Test func workThatIsNotSharedIsTheCallers() {
    let (sharing, noting) = (
      BandSharing<Noting>(name: "test-band"), Noting(done: Locked([:]), helped: Locked(0))
    )
    sharing.run(noting, count: 100, isShared: false)
    #expect(noting.done.withLock { $0.count } == 100)
    #expect(noting.helped.withLock { $0 } == 0)
    #expect(sharing.helped == .zero)
  }

  /// Waits in each band until the other thread works on a band too, so neither thread can do all bands.
  private struct Meeting: BandWork {
    let present: Locked<Set<BandThread>>

    func perform(_ band: Int, on thread: BandThread) {
      present.withLock { _ = $0.insert(thread) }
      present.notify()
      present.wait { $0.count == 2 ? () : nil }
    }
  }

  @Test(.enabled(if: Processors.online > 1)) func bothThreadsWorkAtOnceAgainAfterARest() {
    let sharing = BandSharing<Meeting>(name: "test-band")
    for _ in 0..<3 {
      sharing.run(Meeting(present: Locked([])), count: 2)
      sharing.rest()
      sharing.rest()
    }
    #expect(sharing.helped > .zero)
  }

  @Test func rowsInBandsAreAllRowsOnce() {
    for (height, rows) in [(1, 64), (64, 64), (65, 64), (7, 1), (0, 8), (5, 0)] {
      let bands = RowBands(height, rows: rows)
      #expect((0..<bands.count).flatMap { Array(bands[$0]) } == Array(0..<height))
    }
  }

  /// While as many photos are being made as there are processors, no further work gets a second thread.
  @Test func aSecondPhotoLeavesEachItsProcessor() throws(ImageError) {
    let (one, many) = (PhotoThreads(.whenIdle), (0..<Processors.online).map { _ in PhotoThreads(.whenIdle) })
    #expect(!one.share(area: PhotoThreads.leastArea - 1))
    func nested(_ rest: ArraySlice<PhotoThreads>) throws(ImageError) -> Bool {
      guard let first = rest.first else { return one.share(area: PhotoThreads.leastArea) }
      return try first.makingPhoto { () throws(ImageError) in try nested(rest.dropFirst()) }
    }
    #expect(try !nested(many[...]))
    #expect(PhotoThreads(.always).share(area: 1))
    #expect(!PhotoThreads(.never).share(area: .max))
  }
}
