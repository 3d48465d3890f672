import Glibc
import HTTPService
import JSON
import System
import Testing

@testable import RemoteControl

/// More than two hundred clients occupy slots or flood the server. Clients with the token are served nevertheless.
@Suite(.serialized) struct FloodTests {
  /// 128 viewers, twice as many as there are slots, leave before any picture.
  @Test func viewersWhoLeftKeepNoSeat() async throws {
    // The hub publishes no pictures in this test.
    let rig = try await ServerRig(begins: false)
    for _ in 0..<4 {
      let viewers = try (0..<32).map { _ in try rig.imageStream() }
      try await aside {
        for viewer in viewers {
          var patience = Patience(seconds: 20)
          _ = try viewer.read(64, &patience)
          viewer.shut()
        }
      }
    }
    // The server notices each departure after a moment. Without that, the slot would stay occupied forever.
    let pictures = rig.rig.hub.pictures
    try await aside { while pictures.viewers > 0 { sched_yield() } }
    #expect(try await isServedAtLast(rig))
    await rig.end()
  }

  /// Waits until a request is served. A slot becomes free a moment after its viewer leaves.
  private func isServedAtLast(_ rig: ServerRig) async throws -> Bool {
    for _ in 0..<3000 { if try await rig.status("/session", [rig.bearer]) == 200 { return true } }
    return false
  }

  /// 90 silent clients occupy no slots of clients with the token, and do not delay them.
  @Test func muteClientsShutNobodyOut() async throws {
    let rig = try await ServerRig()
    let mute = try (0..<90).map { _ in try rig.connect() }
    for _ in 0..<20 { #expect(try await rig.status("/session", [rig.bearer]) == 200) }
    let half = try (0..<90).map { _ in try rig.connect() }
    for channel in half { _ = channel.write(Array("GET / HTTP/1.1\r\nHost: ".utf8), within: 1) }
    for _ in 0..<20 { #expect(try await rig.status("/session", [rig.bearer]) == 200) }
    withExtendedLifetime((mute, half)) {}
    await rig.end()
  }

  /// Opens `count` image streams at once. Returns the connections, and the number of streams that began.
  private func take(
    _ count: Int, _ secret: String, of rig: ServerRig
  ) async throws -> (kept: [Channel], served: Int) {
    let channels = try (0..<count).map { _ in try rig.connect() }
    let host = rig.host
    let served = try await aside {
      channels.count { channel in
        let head = "GET /pictures.mjpeg HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(secret)\r\n\r\n"
        _ = channel.write(Array(head.utf8), within: 5)
        var patience = Patience(seconds: 20)
        let answer = (try? channel.read(12, &patience)) ?? []
        return answer.elementsEqual("HTTP/1.1 200".utf8)
      }
    }
    return (channels, served)
  }

  /// One page has at most 16 connections and programs at most 32, which leaves slots for another page.
  @Test func onesShareIsNotTheOthers() async throws {
    let rig = try await ServerRig(begins: false)
    let (one, other) = (rig.rig.hub.sessions.begin(), rig.rig.hub.sessions.begin())
    let greedy = try await take(32, one.secret.text, of: rig)
    #expect(greedy.served == 16)
    let programs = try await take(32, rig.token.text, of: rig)
    let more = try await take(32, rig.token.text, of: rig)
    #expect(programs.served == 32 && more.served == 0)
    #expect(try await rig.status("/session", ["Authorization: Bearer \(other.secret.text)"]) == 200)
    withExtendedLifetime((greedy, programs, more)) {}
    await rig.end()
  }

  /// When all slots are occupied, further admitted clients get status 503, and others are still answered.
  @Test func fullHouseIsTold() async throws {
    let rig = try await ServerRig(begins: false)
    var kept: [Channel] = []
    for _ in 0..<4 {
      let page = try await take(16, rig.rig.hub.sessions.begin().secret.text, of: rig)
      #expect(page.served == 16)
      kept += page.kept
    }
    for _ in 0..<20 {
      #expect(try await rig.status("/session", [rig.bearer]) == 503)
      #expect(try await rig.status("/") == 200)
      #expect(try await rig.status("/channel") == 401)
    }
    withExtendedLifetime(kept) {}
    await rig.end()
  }

  /// Logging a page out closes its connections.
  @Test func loggedOutPageIsCutOff() async throws {
    let rig = try await ServerRig(begins: false)
    let session = rig.rig.hub.sessions.begin()
    let socket = try await rig.socket(
      "/channel", headers: ["Authorization": "Bearer \(session.secret.text)"])
    #expect(try await socket.message() != nil)
    rig.rig.hub.sessions.end(session)
    while try await socket.message() != nil {}
    #expect(try await rig.status("/session", ["Authorization: Bearer \(session.secret.text)"]) == 401)
    await rig.end()
  }

  /// A stop overtakes all waiting commands of another client. Those that it stops are not begun afterwards.
  @Test func stopsGoAheadOfAFlood() async throws {
    let dock = FakeDock()
    let rig = try HubRig(dock: dock)
    let (flood, other) = (Listener(1), Listener(2))
    for index in 0..<40 {
      rig.hub.send(flood, index % 2 == 0 ? "dockMove" : "dockMode", id: "\(index)")
      rig.hub.send(flood, "setZoom", ["factor": .number(2), "ramp": .bool(true)], id: "z\(index)")
    }
    rig.hub.send(other, "dockStop", id: "stop")
    rig.hub.send(other, "cancelZoom", id: "cancel")
    await rig.hub.begin()
    #expect(await other.answer("stop")?["status"] == .string("accepted"))
    #expect(await other.answer("cancel")?["status"] == .string("accepted"))
    for index in stride(from: 0, to: 20, by: 2) {
      let reason = "dockMove: it was not begun, because dockStop came after it"
      #expect(await flood.answer("\(index)")?["reason"] == .string(reason))
    }
    #expect(dock.calls.withLock { $0.first } == "dockStop 2")
    #expect(dock.calls.withLock { !$0.contains("dockMove 1") })
    await rig.hub.end()
  }

  /// Waiting moves of a client that has disconnected are not begun.
  @Test func goneClientMovesNothing() async throws {
    let dock = FakeDock()
    let rig = try HubRig(dock: dock)
    let gone = Listener(1)
    for index in 0..<10 { rig.hub.send(gone, "dockMove", id: "\(index)") }
    await rig.hub.disconnect(gone.client)
    await rig.hub.begin()
    let other = Listener(2)
    #expect(await rig.hub.ask(other, "dockMode", id: "1")?["status"] == .string("accepted"))
    #expect(dock.calls.withLock { $0 } == ["lost 1", "dockMode 2"])
    await rig.hub.end()
  }

  /// Evidence events about what a page shows never cost a slow client its connection: if too many wait, further events are dropped.
  @Test func evidenceIsLeftOutWhereMuchWaits() {
    let (publisher, drops) = (StatePublisher(), Locked(0))
    let slow = ControlClient(number: 1, isViewer: true) { drops.withLock { $0 += 1 } }
    publisher.attach(slow)
    for _ in 0..<10_000 { publisher.tell(event: "shown", isEvidence: true) }
    #expect(slow.waiting <= 33 && drops.withLock { $0 } == 0)
  }

  /// A flood of ten thousand messages is slowed down. A page's usual rate is not.
  @Test func messagesAreSlowedDown() {
    var (flood, page, late) = (MessagePace(), MessagePace(), 0.0)
    for _ in 0..<10_000 { late = max(late, flood.delay(at: 1)) }
    #expect(late > 20)
    for index in 0..<10_000 { #expect(page.delay(at: Double(index) / 100) == 0) }
  }

  /// Sessions and tickets expire, and their number is bounded.
  @Test func sessionsEndByThemselves() {
    let time = Locked(0.0)
    let sessions = PageSessions { time.withLock { $0 } }
    let (idle, open) = (sessions.begin(), sessions.begin())
    let hold = open.hold {}
    let ticket = sessions.ticket(for: "/photos/a.jpg", of: open)
    time.withLock { $0 = 61 }
    #expect(sessions.session(ofTicket: ticket, for: "/photos/a.jpg") == nil)
    time.withLock { $0 = PageSessions.idle + 1 }
    #expect(sessions.session(of: idle.secret.text) == nil)
    #expect(sessions.session(of: open.secret.text) === open)
    withExtendedLifetime(hold) {}
    for _ in 0..<PageSessions.most { _ = sessions.begin() }
    #expect(sessions.endAll() == PageSessions.most)
    #expect(open.hold {} == nil)
  }
}
