public import Capture

/// The source that a viewfinder shows if none is named: the first camera of this machine, else a bundled recording.
public struct UsualSource: Hashable, Sendable {
  /// The specification of the source, as a user would write it.
  public let specification: String
  /// A sentence for a person: which source it is, and why.
  public let reason: String

  /// - Parameter cameras: the cameras of this machine, in the order of their numbers, or the error from listing them.
  public init(among cameras: Result<[ConnectedCamera], CameraError>) {
    let found = (try? cameras.get()) ?? []
    // Choose a camera that cannot be opened if there is no other: its error names the remedy.
    if let camera = found.first(where: { (try? $0.description.get()) != nil }) ?? found.first {
      specification = camera.path
      reason = "\(camera.path), \(camera.name), is the first camera here; --source chooses another."
      return
    }
    specification = "corpus:shelf-pan?loop=1"
    var cause = "no camera was found"
    if case .failure(let error) = cameras { cause = "cameras could not be looked for (\(error))" }
    reason = "This is a recording, corpus:shelf-pan, over and over: \(cause); --source chooses a camera."
  }

  /// Determines the usual source of this machine. Each camera is opened for a moment.
  public static func here() -> UsualSource {
    UsualSource(among: Result { () throws(CameraError) in try ConnectedCamera.list() })
  }
}
