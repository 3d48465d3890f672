import Glibc
public import Imagery
import Log
import System

/// Names of files inside a corpus.
enum SafeName {
  /// Returns whether a name stays inside the corpus: one to eight components between slashes, none of them empty, `.` or `..`, and no control
  /// characters.
  static func isSafe(_ name: String) -> Bool {
    guard (1...512).contains(name.utf8.count), !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      return false
    }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count <= 8
      && parts.allSatisfy { part in
        !part.isEmpty && part.count <= 255 && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
      }
  }
}

/// The whole of a corpus file, copied into memory, so that later changes to the file have no effect.
///
/// `@unchecked Sendable`: the bytes are written in `init` only and freed in `deinit`.
public final class CorpusFile: PixelBufferLender, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  /// Size of the file, in bytes.
  public var byteCount: Int { memory.count }

  /// Passes the bytes to `body`, and keeps the file in memory meanwhile.
  public func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try withExtendedLifetime(self) { () throws(Failure) in try body(UnsafeRawBufferPointer(memory)) }
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] { withBytes { Array($0) } }

  init(memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  deinit { memory.deallocate() }

  /// Does nothing: the memory is freed with its last owner. You need not call it.
  public func takeBack(_ index: Int) {}

  /// The address of the bytes, valid as long as this object is retained, for example as the lender of a `PixelBuffer`.
  var base: UnsafeMutableRawPointer? { memory.baseAddress }

  /// Returns the bytes as a frame of a compressed format, which retains the file.
  /// - Parameter byteCount: the number of bytes to use; nil for all.
  public func compressedImage(_ format: ImageFormat, byteCount: Int? = nil) -> PixelBuffer? {
    let count = min(byteCount ?? memory.count, memory.count)
    guard count > 0, let base = memory.baseAddress else { return nil }
    return PixelBuffer(
      format: format, planes: [Plane(base: base, bytesPerRow: count, height: 1)], lender: self)
  }
}

/// An open corpus folder. Files are opened relative to its descriptor, component by component, and symbolic links are not followed.
final class CorpusDirectory: Sendable {
  let path: String
  private let descriptor: Int32

  init(opening path: String) throws(CorpusError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .opening(path, errno) }
    Log.corpus.debug("opened \(path)")
  }

  deinit { close(descriptor) }

  /// Reads a whole regular file of at most `limit` bytes.
  func read(_ name: String, limit: Int) throws(CorpusError) -> CorpusFile {
    let file = try openFile(name)
    defer { close(file) }
    let size = try size(of: file, name: name, limit: limit)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 64)
    let content = UnsafeMutableRawBufferPointer(rebasing: memory[..<size])
    guard Self.fill(content, from: file) else {
      let code = errno
      memory.deallocate()
      throw .reading("\(path)/\(name)", code)
    }
    return CorpusFile(memory: content)
  }

  func openFile(_ name: String) throws(CorpusError) -> Int32 {
    guard SafeName.isSafe(name) else {
      throw CorpusError(
        .unsafeName, "read \(name.prefix(200)) in the corpus \(path)",
        reason: "a corpus may name only files in its own folder, by a relative path that has no .. in it",
        remedy: "correct the name there, and use only corpora from a source you trust")
    }
    let parts = name.pathParts
    var folder = descriptor
    defer { if folder != descriptor { close(folder) } }
    for part in parts.dropLast() {
      let next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      let code = errno
      if folder != descriptor { close(folder) }
      folder = next
      guard next >= 0 else {
        folder = descriptor
        throw .reading("\(path)/\(name)", code)
      }
    }
    // Non-blocking, because a pipe in place of a frame must not stop the program.
    let file = openat(folder, parts[parts.count - 1], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .reading("\(path)/\(name)", errno) }
    return file
  }

  /// Returns the digest of a regular file of at most `limit` bytes, and its size. Only a piece of the file is in memory at a time.
  func digest(_ name: String, limit: Int) throws(CorpusError) -> (digest: String, byteCount: Int) {
    let file = try FileBytes(self, name, limit: limit)
    var digest = Digest()
    var byteCount = 0
    while case let piece = try file.piece(), !piece.isEmpty {
      digest.update(piece)
      byteCount += piece.count
    }
    return (digest.finish(), byteCount)
  }

  /// Returns the size of an open file in bytes.
  /// - Throws: `CorpusError` if the file is not regular, or larger than `limit`.
  func size(of file: Int32, name: String, limit: Int) throws(CorpusError) -> Int {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .reading("\(path)/\(name)", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CorpusError(
        .malformed, "read \(path)/\(name)", reason: "it is a folder, a pipe or a device, not a file",
        remedy: "put the file there, or make the corpus again")
    }
    let size = Int(status.st_size)
    guard size <= limit else {
      throw CorpusError(
        .limit, "read \(path)/\(name)", reason: "it has \(size) bytes, more than the \(limit) allowed",
        remedy: "make the corpus again with smaller files")
    }
    return size
  }

  private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: Int32) -> Bool {
    var done = 0
    while done < buffer.count {
      let count = Glibc.read(file, buffer.baseAddress! + done, buffer.count - done)
      if count < 0 && errno == EINTR { continue }
      if count == 0 { errno = EIO }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}

extension CorpusError {
  static func opening(_ path: String, _ code: Int32) -> CorpusError {
    CorpusError(
      code == ENOENT || code == ENOTDIR ? .notFound : .system, "open the corpus \(path)",
      reason: reason(code),
      remedy: remedy(code))
  }

  static func reading(_ path: String, _ code: Int32) -> CorpusError {
    if code == ELOOP {
      return CorpusError(
        .unsafeName, "read \(path)",
        reason:
          "it is a symbolic link, which a corpus may not have, because it can lead to files outside its folder",
        remedy: "replace the link with the file itself")
    }
    return CorpusError(
      code == ENOENT || code == ENOTDIR ? .notFound : .system, "read \(path)", reason: reason(code),
      remedy: remedy(code))
  }

  static func writing(_ path: String, _ code: Int32) -> CorpusError {
    CorpusError(.system, "write \(path)", reason: reason(code), remedy: remedy(code))
  }

  package var isDiskFull: Bool { kind == .system && reason == Self.reason(ENOSPC) }

  static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file or folder"
    case ENOTDIR: "a part of the path is not a folder"
    case EACCES, EPERM: "permission is denied"
    case ENOSPC: "the disk is full"
    case EROFS: "the disk is read-only"
    case EDQUOT: "the disk quota is used up"
    default: String(cString: strerror(code)).lowercased()
    }
  }

  private static func remedy(_ code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "check the path, or see `swiftwing corpus list`"
    case EACCES, EPERM: "change its permissions, or run as a user who has them"
    case ENOSPC, EDQUOT: "free some space and try again"
    case EROFS: "choose another folder"
    case EIO, ENODEV, ENXIO, ESTALE: "check the disk and try again"
    case EMFILE, ENFILE, ENOMEM: "close other files and programs and try again"
    case ENAMETOOLONG: "choose a shorter name"
    default: "check the path and try again"
    }
  }
}
