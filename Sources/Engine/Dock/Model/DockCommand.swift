/// What a dock is told to do.
public enum DockCommand: Hashable, Sendable {
  /// Turn at this speed, in radians a second, in manual mode. It stops unless this is said again within 250 ms.
  case move(DockAngles)
  /// Stand still.
  case stop
  /// Let somebody else say what is followed. Any motion stops.
  case mode(DockMode)
  /// Keep the subject somewhere else.
  case framing(DockFraming)
  /// Look for subjects only here; nil for everywhere.
  case regionOfInterest(DockRect?)
  /// Follow what is there; what is followed already is let go.
  case selectPoint(DockPoint)
  /// Follow the subject with this number.
  case select(Int)
  /// Follow nothing.
  case clearSelection
  /// Play a movement, by its name (``DockAnimation``).
  case animate(String)
  /// Go to the position of this name, or keep the present one under it.
  case preset(String, saves: Bool)
  /// Zoom to this factor; clamped to what the camera has, and to 10 where it does not tell.
  case zoom(Double)
  /// Zoom by so much more; below zero back.
  case zoomBy(Double)
  /// Switch something on or off.
  case feature(DockFeature, isOn: Bool)
}

/// What became of a command.
public enum DockAnswer: Hashable, Sendable {
  /// It is done, or has begun. The note says what was changed of it, as a sentence.
  case accepted(note: String? = nil)
  /// It had no effect, and the sentence says why.
  case refused(String)

  /// It had an effect.
  public var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

/// Something that a button or dial of a dock says.
public enum DockEvent: Hashable, Sendable {
  /// The key of a recording was pressed: one begins or ends.
  case shutter
  /// The key of a camera was pressed: a photo is taken.
  case photo
  /// So much is added to the factor of the zoom: above zero nearer.
  case zoom(Double)
  /// The next lens.
  case flip
}
