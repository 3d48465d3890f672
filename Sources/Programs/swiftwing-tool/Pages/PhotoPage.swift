import Harness

/// A page of photographs that needs no other file and no network.
enum PhotoPage {
  /// Returns the page.
  /// - Parameters:
  ///   - styles: CSS in addition to the common styles.
  ///   - header: HTML of the header; `main` is HTML too.
  ///   - script: the page's only script, and its SHA-256 digest in Base64; nil if it has none.
  ///   - data: the values of the `data-` attributes of the body, by their names.
  static func html(
    _ title: String, of program: String, styles: String, header: String, main: String,
    script: (text: String, digest: String)? = nil, data: [String: String] = [:]
  ) -> String {
    let policy = script.map { " script-src 'sha256-\($0.digest)';" } ?? ""
    let attributes = data.sorted { $0.key < $1.key }.map { " data-\($0)=\"\(HTMLText.escape($1))\"" }.joined()
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline';\(policy) base-uri 'none'; form-action 'none'">
      <meta name="color-scheme" content="light dark"><title>\(title) · SwiftWing \(program)</title>
      <style>\(PhotoPageStyle.css)\(styles)</style></head>
      <body\(attributes)><header><h1>\(title)</h1>\(header)</header>
      <main>
      \(main)
      </main>\(script.map { "<script>\($0.text)</script>" } ?? "")</body></html>

      """
  }
}
