import Foundation
import Mustache

/// The report as one self-contained page: no network, under 2 MB with the pictures of a full run. It is whole without scripts; its own
/// one, the only one that a browser runs in it, adds a filter and keys.
public struct HTMLReport: Sendable {
  /// What is shown.
  public let report: Report
  /// Bytes that a page of an ordinary run has at most: pictures give way.
  static let sizeLimit = 1_990_000

  /// A page of that report; nothing is judged anew.
  public init(_ report: Report) { self.report = report }

  /// The whole page. Whatever came from a device or a corpus is escaped in it.
  public var html: String {
    let page = render(pictures: PageBudget.pictureLimit)
    let excess = page.utf8.count - Self.sizeLimit
    guard excess > 0, report.scenarios.contains(where: { $0.evidence.contains { $0.kind == .image } }) else {
      return page
    }
    return render(pictures: max(0, PageBudget.pictureLimit - excess))
  }

  private func render(pictures: Int) -> String {
    Self.template?.render(ReportPage(report, pictures: pictures).model) ?? ""
  }

  private static let template = MustacheTemplate(embedded: PackageResources.report_mustache)
}

extension MustacheTemplate {
  /// Compiled in, and rendered by every test of the page: it parses.
  init?(embedded bytes: [UInt8]) {
    MustacheContentTypes.register(SafeHTMLContentType(), named: "SAFE_HTML")
    guard let template = try? MustacheTemplate(string: String(decoding: bytes, as: UTF8.self)) else {
      return nil
    }
    self = template
  }
}

/// What the page runs: a filter and keys.
enum PageScript {
  static let source = String(decoding: PackageResources.report_js, as: UTF8.self)
  /// SHA-256 of the source in Base64. The page's policy lets a browser run nothing else, whatever a device calls itself.
  /// A test tells it anew.
  static let digest = "IBH2IbdErnRKxHZQS3egg3zqrdwFkWvN5nLyli6tcdY="
}
