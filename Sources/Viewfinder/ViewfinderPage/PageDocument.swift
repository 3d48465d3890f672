/// The document that a browser shows: style, elements and script in one. It loads nothing from any other server.
package enum PageDocument {
  /// The document in UTF-8, made once from the files of `Parts`.
  package static let bytes = Array(text.utf8)

  /// The document with a session's secret and a picture, so that a browser need not wait for the first one.
  /// - Parameters:
  ///   - session: the secret of the page's session.
  ///   - picture: a message of `/pictures` in Base64. Empty for none.
  package static func bytes(with session: String, _ picture: String) -> [UInt8] {
    Array(bytes[..<place]) + Array("\(session) \(picture)".utf8) + bytes[place...]
  }

  /// The index in `bytes` at which the secret and the picture are inserted.
  private static let place =
    text.utf8.distance(
      from: text.startIndex, to: text.firstRange(of: firstTag)?.upperBound ?? text.endIndex)
  private static let firstTag = "<script id=\"first\" type=\"text/plain\">"

  /// The whole text between the tags of the style. Its digest in the policy allows a browser to use it.
  package static let style =
    "\n"
    + [PackageResources.page_css, PackageResources.gallery_css].map { String(decoding: $0, as: UTF8.self) }
    .joined(separator: "\n")
  /// The whole text between the tags of the script. Its digest in the policy allows a browser to run it.
  package static let script = joined(parts)
  /// The rest of the script, which the first script starts once a picture is shown. The policy allows it too.
  package static let rest = joined(later)

  /// The parts without lines of comment and without indentation, which are a sixth of them. No text in a part spans lines.
  private static func joined(_ parts: [[UInt8]]) -> String {
    let lines = parts.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
      .map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("//") }
    return "\n\"use strict\";\n" + lines.joined(separator: "\n") + "\n"
  }

  /// The parts of the script that the first picture needs, each before the parts that use it at the start.
  private static let parts: [[UInt8]] = [
    PackageResources.merge_patch_js, PackageResources.geometry_js, PackageResources.time_code_js,
    PackageResources.dom_js, PackageResources.credential_js, PackageResources.connection_js,
    PackageResources.picture_js,
    PackageResources.opening_js,
  ]

  /// All other parts.
  private static let later: [[UInt8]] = [
    PackageResources.texts_js, PackageResources.icons_js, PackageResources.wheel_js,
    PackageResources.gestures_js,
    PackageResources.ev_wheel_js, PackageResources.controls_js, PackageResources.exposure_js,
    PackageResources.camera_js, PackageResources.zoom_js, PackageResources.motion_js,
    PackageResources.marks_js, PackageResources.framing_js, PackageResources.focus_js,
    PackageResources.stage_js, PackageResources.taking_js,
    PackageResources.session_js, PackageResources.overlay_js, PackageResources.gallery_js,
    PackageResources.shelf_js, PackageResources.settings_js, PackageResources.dock_js,
    PackageResources.panels_js, PackageResources.keys_js, PackageResources.main_js,
  ]

  /// What a browser needs to install the page, by address: its manifest and its icon. A browser requests both
  /// without the page's secret.
  package static let installation: [String: (type: String, bytes: [UInt8])] = [
    "/manifest.json": ("application/manifest+json", PackageResources.manifest_json),
    "/icon.png": ("image/png", PackageResources.icon_png),
  ]

  private static let text = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="dark">
    <meta name="theme-color" content="#000">
    <meta name="apple-mobile-web-app-capable" content="yes">
    <meta name="apple-mobile-web-app-status-bar-style" content="black-translucent">
    <title>SwiftWing viewfinder</title>
    <link rel="icon" href="data:,">
    <link rel="manifest" href="/manifest.json">
    <link rel="apple-touch-icon" href="/icon.png">
    <style>\(style)</style>
    </head>
    \(String(decoding: PackageResources.page_html, as: UTF8.self))\(firstTag)</script>
    <script>\(script)</script>
    <script id="rest" type="text/plain">\(rest)</script>
    </html>

    """
}
