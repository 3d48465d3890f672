import COpenVINO
import Dispatch
import Glibc
import System

/// OpenVINO's library, loaded once.
///
/// `@unchecked Sendable`: the initialiser sets the pointers, and OpenVINO's core may be used from any thread.
final class OpenVINORuntime: @unchecked Sendable {
  let version: String
  fileprivate let api: OpaquePointer
  private let core: OpaquePointer

  /// Loads the library.
  /// - Parameter library: the path of `libopenvino_c.so`.
  init(library: String) throws(ScanError) {
    var reason = [CChar](repeating: 0, count: 512)
    guard let api = openvino_load(library, &reason, reason.count) else {
      throw Self.unavailable(Self.text(reason))
    }
    var core: OpaquePointer?
    guard openvino_core_create(api, &core) == 0, let core else {
      throw Self.unavailable(String(cString: openvino_last_error(api)))
    }
    (self.api, self.core) = (api, core)
    _ = openvino_build(api, &reason, reason.count)
    // Of "2026.4.1-22982-…", keep the release before the first hyphen, which is all that people know.
    version = Self.text(reason).split(separator: "-").first.map(String.init) ?? "unknown version"
  }

  deinit { openvino_core_free(api, core) }

  static func unavailable(_ reason: String) -> ScanError {
    .unavailable(
      what: "OpenVINO", reason: reason,
      remedy: "run `swiftwing models`, or read with `--recognizer-engine tesseract`")
  }

  fileprivate static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  fileprivate func compile(
    _ path: String, streams: Int, _ precision: InferencePrecision?
  ) throws(ScanError) -> OpaquePointer {
    var model: OpaquePointer?
    guard openvino_compile(api, core, path, Int32(streams), precision?.rawValue, &model) == 0, let model
    else {
      throw failure(path)
    }
    return model
  }

  fileprivate func failure(_ what: String) -> ScanError {
    let message =
      String(cString: openvino_last_error(api)).split(whereSeparator: \.isNewline).first ?? "no reason given"
    return .recognition(engine: "OpenVINO", reason: "\(what): \(message)")
  }
}

/// The number type that a model is asked to compute in, by OpenVINO's name.
enum InferencePrecision: String {
  case single = "f32"
  case brain = "bf16"

  /// Returns the value of `$SWIFTWING_PRECISION`; nil if it is not set.
  /// - Throws: `unavailable` for an unknown value.
  static func asked() throws(ScanError) -> InferencePrecision? {
    try named(getenv("SWIFTWING_PRECISION").map { String(cString: $0) })
  }

  static func named(_ text: String?) throws(ScanError) -> InferencePrecision? {
    guard let text else { return nil }
    guard let precision = InferencePrecision(rawValue: text) else {
      throw .unavailable(
        what: "OpenVINO", reason: "SWIFTWING_PRECISION is \"\(text.prefix(20))\"",
        remedy: "set it to f32 or bf16, or not at all")
    }
    return precision
  }
}

/// A compiled model with one inference request for each thread.
///
/// `@unchecked Sendable`: everything is set in the initialiser. Each request is used by one worker of one `run` at a time,
/// because `run` holds `turn`.
final class OpenVINOModel: @unchecked Sendable {
  private let runtime: OpenVINORuntime
  private let model: OpaquePointer
  private let requests: [OpaquePointer]
  private let turn = Locked(())

  /// Compiles a model.
  /// - Parameter precision: the number type; nil for the type that is fastest on this processor.
  init(
    _ runtime: OpenVINORuntime, path: String, threads: Int, precision: InferencePrecision? = nil
  ) throws(ScanError) {
    self.runtime = runtime
    model = try runtime.compile(path, streams: threads, precision)
    var requests: [OpaquePointer] = []
    for _ in 0..<threads {
      var request: OpaquePointer?
      guard openvino_request_create(runtime.api, model, &request) == 0, let request else {
        throw runtime.failure(path)
      }
      requests.append(request)
    }
    self.requests = requests
  }

  deinit {
    for request in requests { openvino_request_free(runtime.api, request) }
    openvino_compiled_model_free(runtime.api, model)
  }

  /// The number type that the model really computes in, by OpenVINO's name; nil if OpenVINO does not report it.
  var precision: String? {
    var name = [CChar](repeating: 0, count: 32)
    guard openvino_precision(runtime.api, model, &name, name.count) == 0 else { return nil }
    return OpenVINORuntime.text(name)
  }

  /// Calls `work` with each number in 0..<`count`, in parallel on all requests, and returns the results in the order of the
  /// numbers.
  func run<Piece: Sendable>(
    _ count: Int, _ work: @Sendable (Int, borrowing Request) throws(ScanError) -> Piece
  ) throws(ScanError) -> [Piece] {
    let state = Locked(Progress<Piece>(results: Array(repeating: nil, count: count)))
    turn.withLock { _ in
      DispatchQueue.concurrentPerform(iterations: min(requests.count, count)) { worker in
        let request = Request(runtime: runtime, pointer: requests[worker])
        while let piece = state.withLock({ $0.take() }) {
          let result = Result { () throws(ScanError) in try work(piece, request) }
          state.withLock { $0.finish(piece, result) }
        }
      }
    }
    let finished = state.withLock { $0 }
    if let error = finished.error { throw error }
    return finished.results.compactMap { $0 }
  }

  private struct Progress<Piece> {
    var results: [Piece?]
    var next = 0
    var error: ScanError?

    mutating func take() -> Int? {
      guard error == nil, next < results.count else { return nil }
      defer { next += 1 }
      return next
    }

    mutating func finish(_ index: Int, _ result: Result<Piece, ScanError>) {
      switch result {
      case .success(let piece): results[index] = piece
      case .failure(let failure): error = error ?? failure
      }
    }
  }

  /// An inference request, which runs one inference at a time.
  struct Request: ~Copyable {
    fileprivate let runtime: OpenVINORuntime
    fileprivate let pointer: OpaquePointer

    /// Runs one inference.
    /// - Parameters:
    ///   - input: the input, as many floats as `shape` has elements.
    ///   - body: receives the output and its shape, which are valid until it returns.
    func infer<Output>(
      _ input: UnsafeMutablePointer<Float>, _ shape: [Int],
      _ body: (UnsafePointer<Float>, [Int]) throws(ScanError) -> Output
    ) throws(ScanError) -> Output {
      let dims = shape.map(Int64.init)
      var output: UnsafePointer<Float>?
      var outputDims = [Int64](repeating: 0, count: 4)
      var rank: Int64 = 0
      guard openvino_infer(runtime.api, pointer, input, dims, &output, &outputDims, &rank) == 0, let output
      else {
        throw runtime.failure("inference")
      }
      return try body(output, outputDims.prefix(Int(rank)).map(Int.init))
    }
  }
}
