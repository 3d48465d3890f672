import System

/// Something of which there is only so much for everyone together.
package final class Budget: Sendable {
  private let left: Locked<Int>

  package init(_ whole: Int) { left = Locked(whole) }

  /// Whether `amount` was there.
  fileprivate func take(_ amount: Int) -> Bool {
    left.withLock { left in
      guard amount <= left else { return false }
      left -= amount
      return true
    }
  }

  fileprivate func giveBack(_ amount: Int) { left.withLock { $0 += amount } }
}

/// One's part of a budget, which has it back when nobody holds this any more.
package final class Share: Sendable {
  private let budget: Budget
  private let taken = Locked(0)

  package init(of budget: Budget) { self.budget = budget }

  deinit { budget.giveBack(taken.withLock { $0 }) }

  /// Whether there is enough for it to be `amount` in all. One that is larger stays.
  package func grow(to amount: Int) -> Bool {
    taken.withLock { taken in
      guard amount > taken else { return true }
      guard budget.take(amount - taken) else { return false }
      taken = amount
      return true
    }
  }
}
