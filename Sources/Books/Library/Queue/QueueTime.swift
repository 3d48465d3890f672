public import FoundationEssentials
import GRDB

/// The time line of the queue. It is set to the wall clock when a program first scans into the library after a start of the machine, and then
/// advances with the monotonic clock (``DeliveryClock/uptime``). The due times of scans and cleanups and the end of a backend's pause are times on
/// this line, so setting the wall clock moves none of them, in any program.
public struct QueueTime: Sendable {
  let clock: any DeliveryClock
  /// The time on this line when `uptime` was 0, in milliseconds since 1970.
  private let epoch: Int64

  /// The present time, rounded down to whole milliseconds.
  public var now: Date {
    // Compensate rounding errors, which may make a sum of many fractions a little too small.
    Milliseconds.date(epoch + Int64((max(0, min(clock.uptime, 1e11)) * 1000 + 0.001).rounded(.down)))
  }

  /// The time that is `seconds` after now, in whole milliseconds.
  package func after(_ seconds: TimeInterval) -> Date { Milliseconds.date(Milliseconds.of(now + seconds)) }

  /// The wall clock's time at `date`, provided that nobody sets the wall clock until then.
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

  /// Starts the time line of the queue if it has none since the machine was started, and saves it for every program. A due time more than
  /// `longestWait` seconds ahead comes from a wall clock that was wrong earlier; it is moved to `longestWait` seconds from now.
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
