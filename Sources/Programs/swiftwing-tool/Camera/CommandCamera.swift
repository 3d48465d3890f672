import ArgumentParser
import Capture
import Console
import Corpora
import Harness
import Replay

/// A camera that a command uses for a while.
struct CommandCamera {
  let session: CaptureSession
  let description: CameraDescription

  /// The longest time until a camera's first picture.
  private static let patience = Duration.seconds(15)

  /// Opens and starts a camera, passes it to `body`, and closes it in any case. ^C cancels `body`.
  /// - Parameter isStreaming: false opens the device without starting its stream.
  /// - Throws: the reason why the camera cannot be used, or the error of `body`; `ExitCode` 130 after ^C.
  static func use<Value: Sendable>(
    _ specification: String, outputs: [any FrameOutput] = [], isStreaming: Bool = true,
    format: FormatFinder? = nil, _ body: @escaping @Sendable (CommandCamera) async throws -> Value
  ) async throws -> Value {
    let source = try SourceSpecification(specification).makeSource(corpusRoots: CorpusRoots.standard())
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    if let format { configuration.chooseFormat = { format.best(of: $0) } }
    let session = CaptureSession(source: source, configuration: configuration)
    for output in outputs { await session.add(output) }
    do {
      let value = try await Interrupts.cancelling {
        try await body(try await begin(session, isStreaming, specification: specification))
      }
      await session.stop()
      return value
    } catch {
      await session.stop()
      if error is CancellationError { throw ExitCode(.interrupted) }
      throw error
    }
  }

  private static func begin(
    _ session: CaptureSession, _ isStreaming: Bool, specification: String
  ) async throws -> CommandCamera {
    if isStreaming { try await session.start() } else { try await session.prewarm() }
    let timeout = Task {
      try await Task.sleep(for: patience)
      await session.stop()
    }
    defer { timeout.cancel() }
    for await state in await session.states() {
      switch state {
      case .running, .warm:
        guard let description = await session.camera else { continue }
        return CommandCamera(session: session, description: description)
      case .failed(let error): throw error
      case .interrupted(let reason) where !isStreaming || reason == .deviceInUse:
        throw Failure("cannot use \(specification): \(reason.message)", .sourceUnavailable)
      case .ended:
        throw Failure(
          "cannot use \(specification): it ended before its first picture; name another source",
          .sourceUnavailable)
      case .idle, .starting, .loading, .paused, .interrupted: break
      }
    }
    try Task.checkCancellation()
    throw Failure(
      "cannot use \(specification): it gave no picture within \(patience.components.seconds) s; check its cable, and end other programs that use it",
      .sourceUnavailable)
  }
}
