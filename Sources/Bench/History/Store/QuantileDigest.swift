import CCrypto
import Foundation

/// The samples of a metric as kept in a history: up to 21 samples are all kept, sorted; of more, 21 evenly spaced quantiles from the least to the
/// greatest. Each is an actual sample. At most 168 bytes, where a report has up to 80 kB.
struct QuantileDigest: Equatable {
  static let size = 21
  /// The values, ascending.
  let values: [Double]

  init(_ samples: [Double]) {
    let sorted = samples.filter(\.isFinite).sorted()
    guard sorted.count > Self.size else {
      values = sorted
      return
    }
    let last = Double(sorted.count - 1)
    values = (0..<Self.size).map { sorted[Int((Double($0) / Double(Self.size - 1) * last).rounded())] }
  }

  /// The values in eight bytes each, little-endian.
  var bytes: Data {
    values.reduce(into: Data()) { bytes, value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// Reads a digest. Invalid bytes give an empty digest.
  init(bytes: Data) {
    let bytes = [UInt8](bytes)
    guard bytes.count % 8 == 0, bytes.count <= Self.size * 8 else {
      values = []
      return
    }
    values = stride(from: 0, to: bytes.count, by: 8).map { start in
      Double(bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }
}

/// SHA-256 by libcrypto.
enum Checksum {
  static func bytes(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256(bytes, bytes.count, &digest)
    return digest
  }

  /// Returns eight bytes of the digest of all samples in their order. If two runs of an exact metric have different numbers, the metric has
  /// changed.
  static func number(_ samples: [Double]) -> Int64 {
    let all = samples.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
    return bytes(all).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}
