import HTTPService
import System

/// The session of one page, or of all programs with the token: its secret, its share of the slots, its tickets and its connections.
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

  /// The seconds until an unused ticket expires (`ticketSeconds`), and until it expires after each use (`usedTicketSeconds`), because a
  /// video requests its parts while it is watched.
  static let (ticketSeconds, usedTicketSeconds) = (60.0, 600.0)
  static let mostTickets = 128

  let secret = AccessToken()
  /// The connections that the session may have at once, so that some are left for others.
  let slots: Budget
  let isLasting: Bool
  private let state: Locked<State>
  private let clock: SecondsClock

  init(slots: Int, isLasting: Bool, clock: @escaping SecondsClock) {
    self.slots = Budget(slots)
    self.isLasting = isLasting
    self.clock = clock
    state = Locked(State(usedAt: clock()))
  }

  /// The time of the last use. Infinite while the session has a connection.
  var restedSince: Double {
    state.withLock { $0.connections.isEmpty ? $0.usedAt : .infinity }
  }

  func use(at time: Double) { state.withLock { $0.usedAt = max($0.usedAt, time) } }

  /// Registers a connection of the session for as long as the returned value is held.
  /// - Parameter end: ends the connection when the session ends; must not block.
  /// - Returns: nil if the session is over.
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

    init(session: PageSession, number: Int) { (self.session, self.number) = (session, number) }

    deinit {
      let now = session.clock()
      session.state.withLock { state in
        state.connections[number] = nil
        state.usedAt = max(state.usedAt, now)
      }
    }
  }

  func end() {
    let connections = state.withLock { state in
      state.isOver = true
      state.tickets = []
      return state.connections.values
    }
    for end in connections { end() }
  }

  func ticket(for path: String, _ now: Double) -> String {
    let secret = AccessToken()
    state.withLock { state in
      state.tickets.removeAll { $0.endsAt < now }
      if state.tickets.count >= Self.mostTickets { state.tickets.removeFirst() }
      state.tickets.append(Ticket(secret: secret, path: path, endsAt: now + Self.ticketSeconds))
    }
    return secret.text
  }

  /// Whether the ticket is valid for the path. If so, its expiry is extended.
  func takes(_ ticket: String, for path: String, _ now: Double) -> Bool {
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
