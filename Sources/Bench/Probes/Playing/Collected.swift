import System

/// A collection that several tasks add to and one reads.
package final class Collected<Element: Sendable>: Sendable {
  private let elements = Locked<[Element]>([])

  package init() {}

  package func add(_ element: Element) { elements.withLock { $0.append(element) } }
  package var all: [Element] { elements.withLock { $0 } }
}

/// The latest value that one thread sets and another reads.
package final class Latest<Value: Sendable>: Sendable {
  private let current = Locked<Value?>(nil)

  package init() {}

  package var value: Value? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
