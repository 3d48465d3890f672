import Glibc

/// The network that finds text by itself, on one picture that never changes: the least that reading can be held against. Nothing of the
/// engine's has a part in it but the call of the library.
package struct InferenceFloor {
  private let model: OpenVINOModel
  /// Of what the network sees, pixels; multiples of 32.
  private static let (width, height) = (960, 544)
  /// At once, as the engine has them.
  private static let threads = 2

  /// Loads the library and compiles the network, about half a second.
  /// - Throws: as `PaddleRecognizer` does.
  package init(_ files: RecognitionModels) throws(ScanError) {
    let runtime = try OpenVINORuntime(library: files.library)
    model = try OpenVINOModel(runtime, path: files.detector, threads: Self.threads)
  }

  /// One inference on each thread.
  /// - Returns: processor seconds, of all threads, user and system.
  package func infer() throws(ScanError) -> Double {
    let began = ProcessorUse.ofProcess
    _ = try model.run(Self.threads) { (_, request) throws(ScanError) in
      let count = 3 * Self.width * Self.height
      let input = UnsafeMutablePointer<Float>.allocate(capacity: count)
      defer { input.deallocate() }
      // Bars, as spines are.
      for index in 0..<count { input[index] = index % Self.width / 32 % 2 == 0 ? 0.5 : -0.5 }
      return try request.infer(input, [1, 3, Self.height, Self.width]) { (output, _) throws(ScanError) in
        output[0]
      }
    }
    return ProcessorUse.ofProcess - began
  }
}
