package import BookScan
import Foundation
import Glibc
import Imagery
import System

/// Pictures with a script, which `swiftwing-trials scripted` executes; see `ScriptedReader`.
package enum ScriptedPhoto {
  /// Whether this build has a sanitizer. Sanitizers need terabytes of address space, so their processes run without a memory limit.
  package static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }

  /// Returns a picture with a script.
  /// - Parameter script: commands such as `book=Dune`, `abort`, `hang`, separated by blanks.
  package static func bytes(_ script: String) throws -> [UInt8] {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 320, height: 240), color: .jpeg))
    // The memory of a new picture is not blank: it may hold another picture, with text.
    for plane in image.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 255, count: plane.byteCount)
    }
    let photo = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings())
    return photo.bytes + Array("SCRIPT:\(script)".utf8)
  }

  package static var settings: RecognitionWorker.Settings {
    var settings = RecognitionWorker.Settings(
      program: RunningProgram.sibling("swiftwing-trials"), arguments: ["scripted"])
    // A busy machine, or a sanitizer's build, may be slow to start.
    settings.startLimit = .seconds(300)
    return settings
  }

  /// Returns a worker that runs this build's program.
  package static func worker(limit: Duration = .seconds(300)) throws(ScanError) -> RecognitionWorker {
    var settings = settings
    settings.limit = limit
    return try RecognitionWorker(settings)
  }
}
