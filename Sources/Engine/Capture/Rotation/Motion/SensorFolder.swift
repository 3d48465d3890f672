import Glibc
import Video4Linux

/// A folder of sysfs attributes: short texts that are read and written whole. Their contents are not trusted.
struct SensorFolder: Hashable, Sendable {
  let path: String
  private static let longestText = 256

  /// The names in the folder, at most 256.
  var names: [String] { (try? LinuxKernel().names(in: path, limit: 256)) ?? [] }

  func folder(_ name: String) -> SensorFolder { SensorFolder(path: "\(path)/\(name)") }

  /// The text of an attribute without its line end.
  /// - Throws: an error if there is no such attribute, or the sensor does not answer.
  func text(_ name: String) throws(Errno) -> String {
    let bytes = try LinuxKernel().contents(of: "\(path)/\(name)", limit: SensorFolder.longestText)
    return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
  }

  /// The number in an attribute.
  /// - Throws: the errors of `text`; `invalidArgument` if the text is no finite number of a plausible size.
  func number(_ name: String) throws(Errno) -> Double {
    guard let number = Double(try text(name)), number.isFinite, abs(number) <= 1e12 else {
      throw .invalidArgument
    }
    return number
  }

  /// - Returns: false if the attribute may not be written, or the write is refused.
  @discardableResult func write(_ text: String, to name: String) -> Bool {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return text.utf8.withContiguousStorageIfAvailable {
      Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count
    } ?? false
  }
}
