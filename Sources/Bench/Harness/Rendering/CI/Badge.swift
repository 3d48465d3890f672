/// The verdict as a badge for a project page: an SVG drawn here, without a request to another host.
public struct Badge: Sendable {
  /// The report shown.
  public let report: Report

  /// Creates the badge of a report. Nothing is judged again.
  public init(_ report: Report) { self.report = report }

  /// The whole picture, 20 pixels high: `swiftwing` and the verdict, with the number of passed scenarios if there are any.
  public var svg: String {
    let (label, words) = ("swiftwing", message)
    // The width of a letter of the monospaced face at 11 pixels. `textLength` makes other faces as wide.
    let (left, right) = (label.count * 7, words.count * 7)
    let width = left + right + 32
    let ground = report.verdict.needsAttention ? "#ff3b30" : "#000"
    let ink = report.verdict.needsAttention ? "#000" : "#fff"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="20" role="img" aria-label="\(label): \(HTMLText.escape(words))">
      <title>\(label): \(HTMLText.escape(words))</title>
      <rect width="\(width)" height="20" fill="#000"/>
      <rect x="\(left + 16)" width="\(right + 16)" height="20" fill="\(ground)"/>
      <path d="M.5 .5H\(width - 1).5V19.5H.5zM\(left + 16).5 0V20" fill="none" stroke="#fff" stroke-opacity=".4"/>
      <g font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="11">
      <text x="8" y="14" fill="#fff" textLength="\(left)">\(label)</text>
      <text x="\(left + 24)" y="14" fill="\(ink)" textLength="\(right)">\(HTMLText.escape(words))</text>
      </g>
      </svg>

      """
  }

  private var message: String {
    if report.fault != nil { return "\(report.verdict.rawValue), broken on purpose" }
    // An interleaved comparison judges no limits, so nothing in it can pass.
    guard let passed = report.counts["pass"] else { return report.verdict.rawValue }
    return "\(report.verdict.rawValue) \(passed)/\(report.scenarios.count)"
  }
}
