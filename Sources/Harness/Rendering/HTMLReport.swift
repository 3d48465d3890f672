import Foundation
import Mustache

/// The report as one self-contained page: no network, no script, under 5 MB.
public struct HTMLReport: Sendable {
  /// What is shown.
  public let report: Report

  /// A page of that report; nothing is judged anew.
  public init(_ report: Report) { self.report = report }

  /// The whole page. Whatever came from a device or a corpus is escaped in it.
  public var html: String { Self.template?.render(ReportPage(report).model) ?? "" }

  /// Compiled in, and rendered by every test of the page: it parses.
  private static let template: MustacheTemplate? = {
    MustacheContentTypes.register(SafeHTMLContentType(), named: "SAFE_HTML")
    return try? MustacheTemplate(string: String(decoding: PackageResources.report_mustache, as: UTF8.self))
  }()
}
