/// A page of photographs that needs no other file, no network and no script.
enum PhotoPage {
  /// Returns the page.
  /// - Parameters:
  ///   - styles: CSS in addition to the common styles.
  ///   - header: HTML of the header; `main` is HTML too.
  static func html(_ title: String, of program: String, styles: String, header: String, main: String)
    -> String
  {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
    <meta name="color-scheme" content="dark"><title>\(title) · SwiftWing \(program)</title>
    <style>\(PhotoPageStyle.css)\(styles)</style></head>
    <body><header><h1>\(title)</h1>\(header)</header>
    <main>
    \(main)
    </main></body></html>

    """
  }
}
