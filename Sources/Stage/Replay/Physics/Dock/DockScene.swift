import Glibc
import System

/// The world around a simulated dock, larger than its picture, with subjects that move. Directions are in radians, to the right and upwards. The dock
/// stands in it, and turns with its device.
public final class DockScene: Sendable {
  /// A subject that may move.
  public struct Subject: Sendable {
    /// The subject's direction in radians, as a function of the time in seconds after the start of the camera.
    public var path: @Sendable (Double) -> (pan: Double, tilt: Double)
    /// The apparent width and height of the subject, in radians.
    public var size: Double
    /// The seed of the subject's appearance. Different seeds give different appearances.
    public var look: UInt64
    /// The times at which something hides the subject, in seconds after the start.
    public var hidden: [Range<Double>] = []

    /// - Parameter path: the subject's direction in radians, as a function of the time in seconds after the start of the camera.
    public init(size: Double, look: UInt64, path: @escaping @Sendable (Double) -> (pan: Double, tilt: Double))
    {
      self.size = size
      self.look = look
      self.path = path
    }

    /// Returns a subject that does not move.
    public static func standing(
      pan: Double, tilt: Double = 0, size: Double = 0.15, look: UInt64 = 1
    ) -> Subject {
      Subject(size: size, look: look) { _ in (pan, tilt) }
    }
  }

  private let content: Locked<(subjects: [Subject], attitude: Double)>

  /// - Parameter subjects: the subjects; later ones are in front of earlier ones.
  public init(_ subjects: [Subject]) { content = Locked((subjects, 0)) }

  /// Returns a scene with two subjects that move to and fro, as shown by `simulated:…?dock=`.
  public static func wandering() -> DockScene {
    DockScene([
      Subject(size: 0.16, look: 1) { (0.35 * sin(0.7 * $0) + 0.15, 0.1 * sin(0.5 * $0)) },
      Subject(size: 0.1, look: 2) { (-0.5 + 0.2 * sin(0.4 * $0), 0.12) },
    ])
  }

  /// The subjects of the scene.
  public var subjects: [Subject] {
    get { content.withLock { $0.subjects } }
    set { content.withLock { $0.subjects = newValue } }
  }

  /// The angle at which the device is held, in clockwise degrees from upright. The dock and its world turn with it.
  public var attitude: Double {
    get { content.withLock { $0.attitude } }
    set { content.withLock { $0.attitude = newValue } }
  }
}
