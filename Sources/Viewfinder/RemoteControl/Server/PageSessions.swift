import HTTPService
import System

/// The sessions by which pages are admitted instead of the token. Each tab has its own secret, which expires when this program ends, when it was
/// not used for a while, and when somebody logs out. The secret is not in a cookie, because cookies are sent to all ports of a host, and other
/// servers of this host must not see it.
package final class PageSessions: Sendable {
  /// The time in seconds without a connection or a request after which a session ends, and its page must be opened anew.
  static let idle = 1800.0
  /// The maximum number of pages. One more page ends the session that was unused for longest.
  static let most = 64

  /// The session of clients that know the token itself. It does not end.
  let programs: PageSession
  private let pages = Locked<[PageSession]>([])
  private let clock: SecondsClock

  init(clock: @escaping SecondsClock = monotonicSeconds) {
    self.clock = clock
    programs = PageSession(slots: 32, isLasting: true, clock: clock)
  }

  /// Creates a session for a page that was opened with the token.
  func begin() -> PageSession {
    let now = clock()
    let new = PageSession(slots: 16, isLasting: false, clock: clock)
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

  /// The session with this secret. This counts as a use.
  func session(of secret: String) -> PageSession? {
    find { $0.secret.matches(secret) }
  }

  /// The session with a ticket for this path. This counts as a use of both.
  func session(ofTicket ticket: String, for path: String) -> PageSession? {
    let now = clock()
    if programs.takes(ticket, for: path, now) { return programs }
    return find { $0.takes(ticket, for: path, now) }
  }

  /// A ticket: a short-lived secret for one path. It serves requests that cannot have a header, such as an image, a video or a download.
  func ticket(for path: String, of session: PageSession) -> String { session.ticket(for: path, clock()) }

  /// Ends the sessions of all pages, which must be opened anew.
  /// - Returns: the number of ended sessions.
  package func endAll() -> Int {
    let ended = pages.withLock { pages in
      defer { pages = [] }
      return pages
    }
    for session in ended { session.end() }
    return ended.count
  }

  /// Ends the session of a page, which must be opened anew.
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
