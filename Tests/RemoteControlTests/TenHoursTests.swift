import JSON
import Testing

@testable import RemoteControl

/// Ten hours in virtual time: in the last hour, pictures are no later and no more memory is used than in the first.
@Suite struct TenHoursTests {
  /// 30 pictures a second for two viewers. One viewer takes each picture at once. The other stalls for one second in every minute,
  /// and otherwise takes at most 20 pictures a second.
  @Test func picturesDoNotGrowOlder() {
    let hub = PictureHub()
    var viewers = [
      LongLooker(hub, takes: { _ in 5 }), LongLooker(hub, takes: { $0 % 60_000 < 1000 ? 1000 : 50 }),
    ]
    var mostInFlight = 0
    for number in 1...TenHours.pictures {
      let now = TenHours.time(of: number)
      for index in viewers.indices { viewers[index].finish(by: now) }
      hub.publish([:], [UInt8(truncatingIfNeeded: number)])
      for index in viewers.indices { viewers[index].look(now) }
      mostInFlight = max(mostInFlight, hub.inFlight)
    }
    #expect(mostInFlight == 2)
    #expect(viewers[0].seen == TenHours.pictures && viewers[0].oldest == [Double](repeating: 0, count: 10))
    // In every hour, a picture is at most one frame interval old when a viewer takes it.
    #expect(viewers[1].oldest.allSatisfy { $0 <= 1.0 / 30 * 1000 })
    #expect(Set(viewers[1].counts).count <= 2, "\(viewers[1].counts)")
    #expect(viewers[1].seen < TenHours.pictures * 2 / 3 && viewers[1].seen > TenHours.pictures / 3)
    for viewer in viewers { hub.leave(viewer.number) }
    #expect(hub.inFlight == 0 && hub.viewers == 0)
  }

  /// The state changes once a second, and a client does not read during one minute in every ten. After it has read, no message is
  /// waiting or missing.
  @Test func messagesDoNotPileUp() throws {
    let (publisher, client) = (StatePublisher(), ControlClient(number: 1, isViewer: true) {})
    publisher.attach(client)
    var (state, most, waiting) = (FollowedState(), [Int](repeating: 0, count: 10), 1)
    var agrees = true
    for second in 0..<36_000 {
      publisher.publish(.object(["second": .whole(second), "isEven": .bool(second % 2 == 0)]))
      waiting += 1
      most[second / 3600] = max(most[second / 3600], client.waiting)
      agrees = agrees && client.waiting == waiting
      if second % 600 < 60 { continue }
      while waiting > 0, client.waiting > 0, let line = client.next() {
        agrees = state.take(try JSONParser.parse(line)) == .changed && agrees
        waiting -= 1
      }
    }
    #expect(agrees)
    #expect(state.document == publisher.document && state.revision == 36_000)
    #expect(most.dropFirst().allSatisfy { $0 == most[1] } && most[1] < 100, "\(most)")
  }
}

private enum TenHours {
  static let pictures = 36_000 * 30
  /// Returns the time of a picture, in milliseconds.
  static func time(of number: Int) -> Double { Double(number) * 1000 / 30 }
  static func hour(_ milliseconds: Double) -> Int { min(9, Int(milliseconds / 3_600_000)) }
}

/// A viewer in virtual time that acknowledges each picture.
private struct LongLooker {
  let hub: PictureHub
  let number: Int
  /// The time that the viewer needs for a picture, in milliseconds, by the time at which it takes the picture, in milliseconds.
  let takes: (Int) -> Double
  private var last = 0
  private var busyUntil: Double?
  private(set) var seen = 0
  /// For each hour, the greatest age of a picture when the viewer took it, in milliseconds.
  private(set) var oldest = [Double](repeating: 0, count: 10)
  /// For each hour, the number of pictures taken.
  private(set) var counts = [Int](repeating: 0, count: 10)

  init(_ hub: PictureHub, takes: @escaping (Int) -> Double) {
    (self.hub, self.takes) = (hub, takes)
    number = hub.enter()
  }

  /// Acknowledges the picture that was received by `now`, and takes the newest waiting one.
  mutating func finish(by now: Double) {
    while let end = busyUntil, end <= now {
      hub.acknowledge(last, by: number)
      busyUntil = nil
      // The number of the newest picture made until `end`.
      let newest = Int(end * 30 / 1000 + 1e-9)
      if newest > last { take(at: end) }
    }
  }

  mutating func look(_ now: Double) { if busyUntil == nil { take(at: now) } }

  private mutating func take(at now: Double) {
    guard let picture = hub.next(for: number, after: last, isAcknowledged: true) else { return }
    last = picture.number
    let hour = TenHours.hour(now)
    oldest[hour] = max(oldest[hour], now - TenHours.time(of: last))
    counts[hour] += 1
    seen += 1
    busyUntil = now + takes(Int(now))
  }
}
