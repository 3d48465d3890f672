import Glibc
import System

/// Clients who are there and have not been let in yet. One too many takes the place of the one that has waited longest: who says nothing keeps
/// nobody out.
final class Lobby: Sendable {
  private let places: Int
  /// The oldest first.
  private let waiting = Locked<[(number: Int, channel: Channel)]>([])
  /// Those who have lost their place may take a moment to go.
  private let standing: Budget
  /// Milliseconds that a new client waits for one of those to have gone.
  private static let patience = 1000

  init(places: Int) {
    self.places = places
    standing = Budget(2 * places)
  }

  /// - Returns: what holds its place until it is gone; nil where too many are about to go.
  func enter(_ channel: Channel, _ number: Int) -> Share? {
    let share = Share(of: standing)
    let oldest = waiting.withLock { waiting in waiting.count >= places ? waiting.removeFirst().channel : nil }
    oldest?.shut()
    // Those who have lost their places go as soon as their threads run: on a busy machine that takes a moment.
    for _ in 0..<Self.patience {
      if share.grow(to: 1) { break }
      usleep(1000)
    }
    guard share.grow(to: 1) else { return nil }
    waiting.withLock { $0.append((number, channel)) }
    return share
  }

  /// Whether the client was still there.
  @discardableResult func leave(_ number: Int) -> Bool {
    waiting.withLock { waiting in
      guard let index = waiting.firstIndex(where: { $0.number == number }) else { return false }
      waiting.remove(at: index)
      return true
    }
  }
}
