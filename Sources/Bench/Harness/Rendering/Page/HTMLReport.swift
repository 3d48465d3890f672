import Mustache

/// The report as one self-contained page: no network, under 2 MB with the pictures of a full run. It is complete without scripts; its own
/// script, the only one that a browser runs in it, adds a filter and keys.
public struct HTMLReport: Sendable {
  /// The report shown.
  public let report: Report
  /// Maximum size of the page of an ordinary run, in bytes. Pictures are left out to stay below it.
  static let sizeLimit = 1_990_000

  /// Creates the page of a report. Nothing is judged again.
  public init(_ report: Report) { self.report = report }

  /// The whole page. Text from a device or corpus is escaped.
  public var html: String {
    let page = render(pictures: PageBudget.pictureLimit)
    let excess = page.utf8.count - Self.sizeLimit
    guard excess > 0, report.scenarios.contains(where: { $0.evidence.contains { $0.kind == .image } }) else {
      return page
    }
    return render(pictures: max(0, PageBudget(report).pictureSize - excess))
  }

  private func render(pictures: Int) -> String {
    Self.template?.render(ReportPage(report, pictures: pictures).model) ?? ""
  }

  private static let template = MustacheTemplate(embedded: PackageResources.report_mustache)
}

extension MustacheTemplate {
  /// Parses a template that is compiled in. Every test of the page renders it, so parsing succeeds.
  init?(embedded bytes: [UInt8]) {
    MustacheContentTypes.register(SafeHTMLContentType(), named: "SAFE_HTML")
    guard let template = try? MustacheTemplate(string: String(decoding: bytes, as: UTF8.self)) else {
      return nil
    }
    self = template
  }
}

/// The script of the page: a filter and keys.
enum PageScript {
  static let source = String(decoding: PackageResources.report_js, as: UTF8.self)
  /// SHA-256 of the source, in Base64. The page's content security policy lets a browser run no other script, whatever text a device puts into
  /// its name. A test computes the digest again.
  static let digest = "IBH2IbdErnRKxHZQS3egg3zqrdwFkWvN5nLyli6tcdY="
}
