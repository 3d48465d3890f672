package import BookScan
import Foundation
import Glibc
import Imagery
import System

/// A picture that tells `swiftwing-trials scripted` what to do; see `ScriptedReader`.
package enum ScriptedPhoto {
  /// A sanitizer needs terabytes of addresses, and its processes are left without a limit of memory.
  package static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }

  /// - Parameter script: commands such as `book=Dune`, `abort`, `hang`, apart by blanks.
  package static func bytes(_ script: String) throws -> [UInt8] {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 320, height: 240), color: .jpeg))
    let photo = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings())
    return photo.bytes + Array("SCRIPT:\(script)".utf8)
  }

  package static var settings: RecognitionWorker.Settings {
    var settings = RecognitionWorker.Settings(
      program: RunningProgram.sibling("swiftwing-trials"), arguments: ["scripted"])
    // A busy machine, or a sanitizer's build, takes its time.
    settings.startLimit = .seconds(300)
    return settings
  }

  /// The program of this build.
  package static func worker(limit: Duration = .seconds(300)) throws(ScanError) -> RecognitionWorker {
    var settings = settings
    settings.limit = limit
    return try RecognitionWorker(settings)
  }
}
