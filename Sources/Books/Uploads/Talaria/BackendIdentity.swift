import FoundationEssentials
import Glibc
public import Library
import System

/// The secret identity of this device. The backend counts its limits by this identity. The identity is stored in a file of mode 0600; no description,
/// mirror or error shows it.
public struct BackendIdentity: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The secret, used only in the request header.
  let secret: String

  /// Reads the identity of the store in `directory`, creating one if there is none.
  /// - Throws: `storage` if the file cannot be read, created or made private.
  public init(directory: String) throws(DeliveryError) {
    let path = "\(directory)/device-id"
    if let made = try Self.make(path) { secret = made } else { secret = try Self.load(path) }
  }

  init(secret: String) { self.secret = secret }

  public var description: String { "device identity (secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Creates an identity and its file. Nil if the file exists already. A crash leaves no incomplete file.
  private static func make(_ path: String) throws(DeliveryError) -> String? {
    guard access(path, F_OK) != 0 else { return nil }
    let secret = UUID().uuidString.lowercased()
    do throws(SystemError) {
      let file = try DurableFile(path)
      try file.write(Array(secret.utf8))
      return try file.claim() ? secret : nil
    } catch { throw .system("make the device identity \(path)", errno: error.code) }
  }

  private static func load(_ path: String) throws(DeliveryError) -> String {
    let action = "read the device identity \(path)"
    guard let descriptor = OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW),
      fchmod(descriptor.number, 0o600) == 0,
      let bytes = descriptor.read(limit: 64)
    else { throw .system(action, errno: errno) }
    guard let identity = UUID(uuidString: String(decoding: bytes, as: UTF8.self)) else {
      throw DeliveryError(
        .storage, action, reason: "it is damaged", remedy: "remove the file to get a new one")
    }
    return identity.uuidString.lowercased()
  }
}
