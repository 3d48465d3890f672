import CCairo

/// A font from a Debian package.
struct Typeface: Hashable {
  /// The description for Pango, such as "EB Garamond Bold".
  let description: String
  /// Fontconfig's name of the family: the first words of `description`.
  let family: String
  let package: String

  init(_ family: String, _ style: String = "", package: String) {
    self.family = family
    self.description = style.isEmpty ? family : "\(family) \(style)"
    self.package = package
  }

  static let all = [
    Typeface("EB Garamond", "Bold", package: "fonts-ebgaramond"),
    Typeface("Liberation Sans", "Bold", package: "fonts-liberation2"),
    Typeface("Linux Libertine O", package: "fonts-linuxlibertine"),
    Typeface("Bebas Neue", "Bold", package: "fonts-bebas-neue"),
    Typeface("Caladea", "Bold", package: "fonts-crosextra-caladea"),
    Typeface("DejaVu Sans Condensed", package: "fonts-dejavu-extra"),
    Typeface("Liberation Serif", "Bold Italic", package: "fonts-liberation2"),
    Typeface("Carlito", "Bold", package: "fonts-crosextra-carlito"),
    Typeface("Goudy Bookletter 1911", package: "fonts-goudybookletter"),
    Typeface("Linux Biolinum O", "Bold", package: "fonts-linuxlibertine"),
    Typeface("DejaVu Serif Condensed", "Bold", package: "fonts-dejavu-extra"),
    Typeface("Liberation Serif", package: "fonts-liberation2"),
  ]

  static var packages: [String] { Array(Set(all.map(\.package))).sorted() }
}

struct MissingFonts: Error, CustomStringConvertible {
  let packages: [String]

  var description: String {
    "Cannot draw the corpora: fonts are missing; install them with `apt-get install \(packages.joined(separator: " "))`."
  }
}

/// The fonts of Debian's packages only, so that neither the user's fonts nor the user's settings change a picture.
struct FontLibrary {
  private static let settings = """
    <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
    <fontconfig><dir>/usr/share/fonts/truetype</dir><dir>/usr/share/fonts/opentype</dir>
    <cachedir>/var/cache/fontconfig</cachedir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
    """

  /// The packages of missing fonts, determined once per process after restricting Fontconfig to the system's font folders.
  private static let missing: [String] = {
    let configuration = FcConfigCreate()
    FcConfigParseAndLoadFromMemory(
      configuration, Array(settings.utf8CString).map { UInt8(bitPattern: $0) }, 1)
    FcConfigBuildFonts(configuration)
    FcConfigSetCurrent(configuration)
    // Fontconfig now has its own reference.
    FcConfigDestroy(configuration)
    return Set(Typeface.all.filter { !isInstalled($0) }.map(\.package)).sorted()
  }()

  /// Checks the fonts. Call this before anything is drawn.
  init() throws {
    if !Self.missing.isEmpty { throw MissingFonts(packages: Self.missing) }
  }

  private static func isInstalled(_ typeface: Typeface) -> Bool {
    let map = pango_cairo_font_map_get_default()
    let context = pango_font_map_create_context(map)
    defer { g_object_unref(UnsafeMutableRawPointer(context)) }
    let wanted = pango_font_description_from_string(typeface.description)
    defer { pango_font_description_free(wanted) }
    pango_font_description_set_absolute_size(wanted, 20 * Double(PANGO_SCALE))
    guard let font = pango_font_map_load_font(map, context, wanted) else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(font)) }
    let found = pango_font_describe(font)
    defer { pango_font_description_free(found) }
    guard let family = pango_font_description_get_family(found) else { return false }
    return String(cString: family) == typeface.family || typeface.family.hasPrefix(String(cString: family))
  }
}
