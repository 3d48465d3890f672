import System

/// A bounded allowance that all clients share, such as bytes or connections.
package final class Budget: Sendable {
  private let left: Locked<Int>

  package init(_ whole: Int) { left = Locked(whole) }

  /// Takes `amount` from the budget.
  /// - Returns: false if there was not enough; nothing is taken then.
  fileprivate func take(_ amount: Int) -> Bool {
    left.withLock { left in
      guard amount <= left else { return false }
      left -= amount
      return true
    }
  }

  fileprivate func giveBack(_ amount: Int) { left.withLock { $0 += amount } }
}

/// A part of a budget, returned to it when the last reference is released.
package final class Share: Sendable {
  private let budget: Budget
  private let taken = Locked(0)

  package init(of budget: Budget) { self.budget = budget }

  deinit { budget.giveBack(taken.withLock { $0 }) }

  /// Raises this share of the budget to `amount` in total. A share that is larger already stays as it is.
  /// - Returns: false if the budget has not enough left.
  package func grow(to amount: Int) -> Bool {
    taken.withLock { taken in
      guard amount > taken else { return true }
      guard budget.take(amount - taken) else { return false }
      taken = amount
      return true
    }
  }
}
