import Glibc
import System

/// The world around a simulated dock, larger than its picture, with subjects that move. Directions are radians: to the right, and upwards.
/// The dock stands in it and turns with the device that it is on.
public final class DockScene: Sendable {
  /// Something that moves.
  public struct Subject: Sendable {
    /// In which direction it is, so many seconds after the camera started.
    public var path: @Sendable (Double) -> (pan: Double, tilt: Double)
    /// How wide and high it looks, in radians.
    public var size: Double
    /// What it looks like: two numbers look different.
    public var look: UInt64
    /// When something is before it, in seconds after the start.
    public var hidden: [Range<Double>] = []

    /// - Parameter path: in which direction it is, so many seconds after the camera started, in radians.
    public init(size: Double, look: UInt64, path: @escaping @Sendable (Double) -> (pan: Double, tilt: Double))
    {
      self.size = size
      self.look = look
      self.path = path
    }

    /// One that stands.
    public static func standing(
      pan: Double, tilt: Double = 0, size: Double = 0.15, look: UInt64 = 1
    ) -> Subject {
      Subject(size: size, look: look) { _ in (pan, tilt) }
    }
  }

  private let content: Locked<(subjects: [Subject], attitude: Double)>

  /// - Parameter subjects: later ones are before earlier ones.
  public init(_ subjects: [Subject]) { content = Locked((subjects, 0)) }

  /// Two subjects that go to and fro: what `simulated:…?dock=` shows.
  public static func wandering() -> DockScene {
    DockScene([
      Subject(size: 0.16, look: 1) { (0.35 * sin(0.7 * $0) + 0.15, 0.1 * sin(0.5 * $0)) },
      Subject(size: 0.1, look: 2) { (-0.5 + 0.2 * sin(0.4 * $0), 0.12) },
    ])
  }

  /// What moves in it.
  public var subjects: [Subject] {
    get { content.withLock { $0.subjects } }
    set { content.withLock { $0.subjects = newValue } }
  }

  /// How the device is held: clockwise degrees from upright. The dock and its world turn with it.
  public var attitude: Double {
    get { content.withLock { $0.attitude } }
    set { content.withLock { $0.attitude = newValue } }
  }
}
