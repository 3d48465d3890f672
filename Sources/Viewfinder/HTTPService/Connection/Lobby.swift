import Glibc
import System

/// The connections that are not admitted yet. If there are too many, a new connection displaces the connection that has waited longest, so
/// that a silent client keeps nobody out.
final class Lobby: Sendable {
  private let places: Int
  /// The waiting connections, the oldest first.
  private let waiting = Locked<[(number: Int, channel: Channel)]>([])
  /// The budget of places for waiting connections, and for displaced connections that are closing.
  private let standing: Budget
  /// The maximum wait of a new client for a displaced one to close, in milliseconds.
  private static let patience = 1000

  init(places: Int) {
    self.places = places
    standing = Budget(2 * places)
  }

  /// - Returns: the share of the lobby's budget that holds the client's place until it is released. Nil if too many connections are closing.
  func enter(_ channel: Channel, _ number: Int) -> Share? {
    let share = Share(of: standing)
    let oldest = waiting.withLock { waiting in waiting.count >= places ? waiting.removeFirst().channel : nil }
    oldest?.shut()
    // Displaced connections close when their threads run, which takes a moment on a busy machine.
    for _ in 0..<Self.patience {
      if share.grow(to: 1) { break }
      usleep(1000)
    }
    guard share.grow(to: 1) else { return nil }
    waiting.withLock { $0.append((number, channel)) }
    return share
  }

  /// Removes a client.
  /// - Returns: whether the client was still in the lobby.
  @discardableResult func leave(_ number: Int) -> Bool {
    waiting.withLock { waiting in
      guard let index = waiting.firstIndex(where: { $0.number == number }) else { return false }
      waiting.remove(at: index)
      return true
    }
  }
}
