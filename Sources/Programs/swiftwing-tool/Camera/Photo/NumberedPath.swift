/// The file names of several photos, made from one name.
struct NumberedPath {
  let path: String

  /// Returns a name such as `shelf-03.jpg`, counted from 1.
  func numbered(_ index: Int, of count: Int) -> String {
    let digits = "\(index + 1)"
    let number = String(repeating: "0", count: max(0, "\(count)".count - digits.count)) + digits
    let dot = path.lastIndex(of: ".") ?? path.endIndex
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }
}
