public import FoundationEssentials
import GRDB

/// The time line that the queue waits by: it goes with the clock that nobody sets (``DeliveryClock/uptime``) and is the wall clock's as that was when
/// the library was first scanned into since the machine was started. The times at which scans, cleanups and a backend's pause are over
/// are of this line, so that none comes earlier or later because somebody sets the wall clock, whichever program looks.
public struct QueueTime: Sendable {
  let clock: any DeliveryClock
  /// When `uptime` was 0, in milliseconds since 1970.
  private let epoch: Int64

  /// The present, in whole milliseconds, and never ahead of it.
  public var now: Date {
    // The sum of many fractions may be a little less than it should be.
    Milliseconds.date(epoch + Int64((max(0, min(clock.uptime, 1e11)) * 1000 + 0.001).rounded(.down)))
  }

  /// In so many seconds from now, in whole milliseconds.
  package func after(_ seconds: TimeInterval) -> Date { Milliseconds.date(Milliseconds.of(now + seconds)) }

  /// What the wall clock will show then, if nobody sets it.
  public func wall(_ date: Date) -> Date {
    Milliseconds.date(Milliseconds.of(clock.now + date.timeIntervalSince(now)))
  }

  fileprivate init(_ clock: any DeliveryClock, from database: Database) throws {
    self.clock = clock
    let row = try Row.fetchOne(database, sql: "SELECT * FROM clock").map { StoredRow($0, of: "clock") }
    if let row, try row.text("boot") == clock.boot {
      epoch = try row.integer("epoch", in: StoredRow.times)
    } else {
      epoch = Milliseconds.of(clock.now - clock.uptime)
    }
  }

  fileprivate func save(in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO clock (id, boot, epoch) VALUES (1, ?, ?)",
      arguments: [clock.boot, epoch])
  }
}

extension ScanQueue {
  /// The time line of the queue.
  public func time(by clock: any DeliveryClock = WallClock()) async throws(DeliveryError) -> QueueTime {
    try await store.read("read the time of the queue") { try QueueTime(clock, from: $0) }
  }

  /// The time line of the queue, kept for every program until the machine is started again. What waits longer than anything may is of a wall
  /// clock that was wrong before then: it waits `longestWait` seconds from now.
  package func keepTime(by clock: any DeliveryClock, longestWait: TimeInterval) async throws(DeliveryError)
    -> QueueTime
  {
    try await store.write("note the time of the queue") { database in
      let time = try QueueTime(clock, from: database)
      try time.save(in: database)
      let latest = Milliseconds.of(time.now + longestWait)
      for (table, column) in [("scan", "notBefore"), ("cleanup", "notBefore"), ("pause", "until")] {
        try database.execute(
          sql: "UPDATE \(table) SET \(column) = :latest WHERE \(column) > :latest",
          arguments: ["latest": latest])
      }
      return time
    }
  }
}
