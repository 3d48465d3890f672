/// The text detector's network alone, on one constant picture: a lower bound of the time that reading takes. Uses nothing of the
/// engine except its call into the library.
package struct InferenceFloor {
  private let model: OpenVINOModel
  /// The size of the network's input, pixels; multiples of 32.
  private static let (width, height) = (960, 544)
  /// The number of inferences at once, as in the engine.
  private static let threads = 2

  /// Loads the library and compiles the network, about half a second.
  /// - Throws: the errors of `PaddleRecognizer`'s initialiser.
  package init(_ files: RecognitionModels) throws(ScanError) {
    let runtime = try OpenVINORuntime(library: files.library)
    model = try OpenVINOModel(runtime, path: files.detector, threads: Self.threads)
  }

  /// Runs one inference on each thread.
  /// - Returns: the processor seconds of all threads, user and system.
  package func infer() throws(ScanError) -> Double {
    let began = ProcessorUse.ofProcess
    _ = try model.run(Self.threads) { (_, request) throws(ScanError) in
      let count = 3 * Self.width * Self.height
      let input = UnsafeMutablePointer<Float>.allocate(capacity: count)
      defer { input.deallocate() }
      // Vertical bars, similar to spines.
      for index in 0..<count { input[index] = index % Self.width / 32 % 2 == 0 ? 0.5 : -0.5 }
      return try request.infer(input, [1, 3, Self.height, Self.width]) { (output, _) throws(ScanError) in
        output[0]
      }
    }
    return ProcessorUse.ofProcess - began
  }
}
