import HTTPService
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
    programs = PageSession(slots: 32, isLasting: true, clock: clock)
  }

  /// For a page that was opened with the token.
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
