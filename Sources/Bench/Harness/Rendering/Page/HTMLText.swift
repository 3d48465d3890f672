import Mustache

/// Escaping of text for HTML, SVG and XML, inside elements and quoted attributes.
///
/// Text is escaped by Unicode scalar, not by character: a quotation mark with a combining accent is one character that does not equal `"`, but a
/// browser still ends the attribute there.
public enum HTMLText {
  /// Returns the text with all characters replaced that have a meaning in markup.
  public static func escape(_ text: String) -> String {
    // Fast path: most text of a report is plain.
    guard !text.utf8.allSatisfy(isPlain) else { return text }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
      default: escaped.append(isForbidden(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return String(escaped)
  }

  /// Returns whether a byte is ASCII without a meaning in markup.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    case 9, 10, 13, 32..<127: true
    default: false
    }
  }

  /// Returns whether a scalar is a control, which XML 1.0 does not allow, or changes the direction of text, which would disguise the text.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 9, 10, 13: false
    case 0..<32, 127..<160, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}

/// The escaping that Mustache uses, under the name that the templates name. Backticks, as in Markdown, become quotation marks, because the text
/// may be an attribute, which takes no markup. A command to copy is escaped separately and keeps its backticks.
struct SafeHTMLContentType: MustacheContentType {
  func escapeText(_ text: String) -> String { HTMLText.escape(Self.quoting(text)) }

  private static func quoting(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 2, parts.count % 2 == 1 else { return text }
    return parts.enumerated().map { index, part in index % 2 == 0 ? String(part) : "“\(part)”" }.joined()
  }
}
