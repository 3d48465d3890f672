import HTTPService
import Locking
import System

/// What pages have in place of the token: a secret of each tab, which ends with this program, when it was not used for a while, and when somebody
/// logs out. It is kept where no other server of this host sees it: not in a cookie, because cookies go to all ports of a host.
package final class PageSessions: Sendable {
  /// Seconds without a connection and a request, after which a page must be opened anew.
  static let idle = 1800.0
  /// Pages at once; one more ends the one that was used longest ago.
  static let most = 64

  /// Of those who know the token itself. It does not end.
  let programs: PageSession
  private let pages = Locked<[PageSession]>([])
  private let clock: SecondsClock

  init(clock: @escaping SecondsClock = monotonicSeconds) {
    self.clock = clock
    programs = PageSession(seats: 32, isLasting: true, clock: clock)
  }

  /// For a page that was opened with the token.
  func begin() -> PageSession {
    let now = clock()
    let new = PageSession(seats: 16, isLasting: false, clock: clock)
    let ended = pages.withLock { pages -> [PageSession] in
      var ended = Self.removeIdle(from: &pages, now)
      if pages.count >= Self.most,
        let oldest = pages.indices.min(by: { pages[$0].restedSince < pages[$1].restedSince })
      {
        ended.append(pages.remove(at: oldest))
      }
      pages.append(new)
      return ended
    }
    for session in ended { session.end() }
    return new
  }

  /// The session that a secret opens; it counts as used.
  func session(of secret: String) -> PageSession? {
    find { $0.secret.matches(secret) }
  }

  /// The session whose ticket opens this path; both count as used.
  func session(ofTicket ticket: String, for path: String) -> PageSession? {
    let now = clock()
    if programs.takes(ticket, for: path, now) { return programs }
    return find { $0.takes(ticket, for: path, now) }
  }

  /// A secret that opens one path alone, and soon no more: for what cannot send a header, such as an image, a video, or a file that is saved.
  func ticket(for path: String, of session: PageSession) -> String { session.ticket(for: path, clock()) }

  /// Every page must be opened anew.
  /// - Returns: how many there were.
  package func endAll() -> Int {
    let ended = pages.withLock { pages in
      defer { pages = [] }
      return pages
    }
    for session in ended { session.end() }
    return ended.count
  }

  /// This page must be opened anew.
  func end(_ session: PageSession) {
    pages.withLock { $0.removeAll { $0 === session } }
    session.end()
  }

  private func find(_ fits: (PageSession) -> Bool) -> PageSession? {
    let now = clock()
    let (found, ended) = pages.withLock { pages in
      let ended = Self.removeIdle(from: &pages, now)
      return (pages.first(where: fits), ended)
    }
    for session in ended { session.end() }
    found?.use(at: now)
    return found
  }

  private static func removeIdle(from pages: inout [PageSession], _ now: Double) -> [PageSession] {
    let ended = pages.filter { $0.restedSince < now - idle }
    if !ended.isEmpty { pages.removeAll { page in ended.contains { $0 === page } } }
    return ended
  }
}

/// One page's, or that of all programs with the token: its secret, its share of the seats, its tickets and its connections.
package final class PageSession: Sendable {
  private struct Ticket {
    let secret: AccessToken
    let path: String
    var endsAt: Double
  }

  private struct State {
    var isOver = false
    var usedAt: Double
    var tickets: [Ticket] = []
    var connections: [Int: @Sendable () -> Void] = [:]
    var last = 0
  }

  /// Seconds until a ticket must have been used, and that it is good for after each use: a video asks for its parts as it is watched.
  static let (ticketSeconds, usedTicketSeconds) = (60.0, 600.0)
  static let mostTickets = 128

  let secret = AccessToken()
  /// How many connections it may have at once, so that others have some too.
  let seats: Budget
  let isLasting: Bool
  private let state: Locked<State>
  private let clock: SecondsClock

  fileprivate init(seats: Int, isLasting: Bool, clock: @escaping SecondsClock) {
    (self.seats, self.isLasting, self.clock) = (Budget(seats), isLasting, clock)
    state = Locked(State(usedAt: clock()))
  }

  /// When it was used last; now and later while it has a connection.
  fileprivate var restedSince: Double {
    state.withLock { $0.connections.isEmpty ? $0.usedAt : .infinity }
  }

  fileprivate func use(at time: Double) { state.withLock { $0.usedAt = max($0.usedAt, time) } }

  /// A connection that belongs to it, as long as what this returns is held.
  /// - Parameter end: ends the connection when the session ends; must not block.
  /// - Returns: nil where the session is over.
  func hold(_ end: @escaping @Sendable () -> Void) -> Hold? {
    let number: Int? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.last += 1
      state.connections[state.last] = end
      return state.last
    }
    return number.map { Hold(session: self, number: $0) }
  }

  final class Hold: Sendable {
    let session: PageSession
    private let number: Int

    fileprivate init(session: PageSession, number: Int) { (self.session, self.number) = (session, number) }

    deinit {
      let now = session.clock()
      session.state.withLock { state in
        state.connections[number] = nil
        state.usedAt = max(state.usedAt, now)
      }
    }
  }

  fileprivate func end() {
    let connections = state.withLock { state in
      (state.isOver, state.tickets) = (true, [])
      return state.connections.values
    }
    for end in connections { end() }
  }

  fileprivate func ticket(for path: String, _ now: Double) -> String {
    let secret = AccessToken()
    state.withLock { state in
      state.tickets.removeAll { $0.endsAt < now }
      if state.tickets.count >= Self.mostTickets { state.tickets.removeFirst() }
      state.tickets.append(Ticket(secret: secret, path: path, endsAt: now + Self.ticketSeconds))
    }
    return secret.text
  }

  /// Whether there is such a ticket, which then is good for a while more.
  fileprivate func takes(_ ticket: String, for path: String, _ now: Double) -> Bool {
    state.withLock { state in
      guard !state.isOver,
        let index = state.tickets.firstIndex(where: {
          $0.secret.matches(ticket) && $0.path.isExactly(path) && $0.endsAt >= now
        })
      else { return false }
      state.tickets[index].endsAt = now + Self.usedTicketSeconds
      return true
    }
  }
}
