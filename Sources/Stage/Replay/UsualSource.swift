public import Capture

/// What a viewfinder shows when nobody names a source: the first camera of this machine, else a recording that comes with the program.
public struct UsualSource: Hashable, Sendable {
  /// What a user would have written for it.
  public let specification: String
  /// Which source it is and why, as a sentence for a person.
  public let reason: String

  /// - Parameter cameras: those of this machine, in the order of their numbers, or why they are not known.
  public init(among cameras: Result<[ConnectedCamera], CameraError>) {
    let found = (try? cameras.get()) ?? []
    // Name a camera that cannot be opened if it is the only one: its error says what to do.
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

  /// Of this machine, now. Each camera is opened for a moment.
  public static func here() -> UsualSource {
    UsualSource(among: Result { () throws(CameraError) in try ConnectedCamera.list() })
  }
}
