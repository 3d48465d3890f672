import Glibc

/// The name of a function as a person reads it.
enum FunctionName {
  /// `$s7Imagery13PhotoPipelineC7process…` → `PhotoPipeline.process(_:orientation:settings:)`; other names as they are.
  static func readable(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s") || symbol.hasPrefix("_$s") else { return symbol }
    let name: String? = symbol.utf8CString.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, let found = swiftDemangle(base, bytes.count - 1, nil, nil, 0) else {
        return nil
      }
      defer { free(found) }
      return String(cString: found)
    }
    return name ?? symbol
  }
}

/// Of the Swift runtime (`swift/Demangling/Demangle.h`): a new C string, which the caller frees, or nil.
@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
