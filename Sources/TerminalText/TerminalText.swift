/// Text from cameras, corpora, files, backends and the command line, made safe for a terminal. Without Foundation: the
/// viewfinder links it.
package enum TerminalText {
  /// One line: control and formatting characters, which could move the cursor or turn the text round, become spaces.
  package static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      // Letters of Arabic and Indic words join or do not by these; nothing moves by them.
      if scalar.value == 0x200C || scalar.value == 0x200D { return scalar }
      return switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
