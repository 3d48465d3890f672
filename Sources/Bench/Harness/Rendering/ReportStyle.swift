/// The look of a report, for other pages that go with it.
package enum ReportStyle {
  /// The style sheet of `report.html`.
  package static var css: String { String(decoding: PackageResources.report_css, as: UTF8.self) }
}
