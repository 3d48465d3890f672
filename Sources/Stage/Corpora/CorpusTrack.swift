import Glibc
import JSON

/// The events of a corpus in time order, read from `track.jsonl` line by line on demand.
public final class CorpusTrack {
  private let path: String
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
  /// The bytes in `buffer` that have been read and not used yet.
  private var unread = 0..<0
  private var isAtEnd = false
  private var line = 0
  private var lastTime: Int64 = 0

  init(_ directory: CorpusDirectory) throws(CorpusError) {
    path = "\(directory.path)/track.jsonl"
    descriptor = try directory.openFile("track.jsonl")
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Returns the next event. Nil after the last.
  /// - Throws: `CorpusError` naming the line that is too long, not JSON, of an unknown type, out of bounds, or out of time order. Nothing more can be
  ///   read after that.
  public func next() throws(CorpusError) -> CorpusEvent? {
    guard let text = try nextLine() else { return nil }
    guard line <= CorpusLimits.events else {
      throw malformed("the file has more than \(CorpusLimits.events) lines, the limit")
    }
    let event: CorpusEvent
    do { event = try CorpusEvent(JSONParser.parse(text)) } catch { throw malformed(error.reason) }
    guard event.time >= lastTime else {
      throw malformed("its time, \(event.time) ns, is earlier than that of the line before, \(lastTime) ns")
    }
    lastTime = event.time
    return event
  }

  /// Returns all remaining events, in memory.
  /// - Throws: `CorpusError` as `next()` does, and `limit` for more than `CorpusLimits.eventsInMemory`.
  public func remaining() throws(CorpusError) -> [CorpusEvent] {
    try remaining(atMost: CorpusLimits.eventsInMemory)
  }

  func remaining(atMost limit: Int) throws(CorpusError) -> [CorpusEvent] {
    var events: [CorpusEvent] = []
    while let event = try next() {
      guard events.count < limit else {
        throw CorpusError(
          .limit, "keep all of \(path) in memory", reason: "it has more than \(limit) events",
          remedy: "choose a shorter recording, or divide it")
      }
      events.append(event)
    }
    return events
  }

  /// Returns the first remaining event that satisfies the condition, and skips those before it. Nil if there is none.
  public func first(where isWanted: (CorpusEvent) -> Bool) throws(CorpusError) -> CorpusEvent? {
    while let event = try next() { if isWanted(event) { return event } }
    return nil
  }

  /// Returns the number of remaining events that satisfy the condition.
  public func count(where isWanted: (CorpusEvent) -> Bool) throws(CorpusError) -> Int {
    var count = 0
    while let event = try next() { if isWanted(event) { count += 1 } }
    return count
  }

  /// Returns the next line without its end, valid until the next call. Nil after the last.
  private func nextLine() throws(CorpusError) -> UnsafeRawBufferPointer? {
    while true {
      let window = UnsafeRawBufferPointer(rebasing: buffer[unread])
      if let end = window.firstIndex(of: 0x0A) {
        return try take(window[..<end], andSkip: 1)
      }
      guard window.count <= CorpusLimits.lineBytes else { throw tooLong() }
      if isAtEnd { return window.isEmpty ? nil : try take(window[...], andSkip: 0) }
      try refill()
    }
  }

  private func take(_ text: Slice<UnsafeRawBufferPointer>, andSkip end: Int) throws(CorpusError)
    -> UnsafeRawBufferPointer
  {
    guard text.count <= CorpusLimits.lineBytes else { throw tooLong() }
    unread = unread.lowerBound + text.count + end..<unread.upperBound
    line += 1
    return UnsafeRawBufferPointer(rebasing: text)
  }

  /// Moves the unread bytes to the front and reads more behind them.
  private func refill() throws(CorpusError) {
    guard let base = buffer.baseAddress else { return }
    memmove(base, base + unread.lowerBound, unread.count)
    unread = 0..<unread.count
    var count: Int
    repeat {
      count = read(descriptor, base + unread.count, buffer.count - unread.count)
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .reading(path, errno) }
    isAtEnd = count == 0
    unread = 0..<unread.count + count
  }

  private func malformed(_ reason: String) -> CorpusError {
    CorpusError(
      .malformed, "read line \(line) of \(path)", reason: reason,
      remedy: "correct the line or make the corpus again")
  }

  private func tooLong() -> CorpusError {
    CorpusError(
      .limit, "read line \(line + 1) of \(path)",
      reason: "the line has more than \(CorpusLimits.lineBytes) bytes",
      remedy: "correct the line or make the corpus again")
  }
}
