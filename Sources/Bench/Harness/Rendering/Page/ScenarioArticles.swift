import Dispatch
import Foundation
import Mustache
import System

/// The scenarios of a suite as HTML, one article each. Each has a template's context of its own, and all processors work on them: on two, reading
/// and drawing 10,000 took 2.0 s where one template of the whole page took 2.9.
struct ScenarioArticles {
  private let sections: [ScenarioSection]
  /// Scenarios that one processor draws before it looks for more.
  private static let share = 32
  private static let template = MustacheTemplate(embedded: PackageResources.scenario_mustache)

  init(_ sections: [ScenarioSection]) { self.sections = sections }

  /// In the order of the sections.
  var html: String {
    let (sections, share) = (sections, Self.share)
    let shares = (sections.count + share - 1) / share
    let drawn = Locked([String](repeating: "", count: shares))
    DispatchQueue.concurrentPerform(iterations: shares) { number in
      let part = sections[(number * share)..<min((number + 1) * share, sections.count)]
      let html = part.map { Self.template?.render($0.model) ?? "" }.joined()
      drawn.withLock { $0[number] = html }
    }
    return drawn.withLock { $0.joined() }
  }
}
