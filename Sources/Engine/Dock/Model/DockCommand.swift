/// A command to a dock.
public enum DockCommand: Hashable, Sendable {
  /// Turn at this speed, in radians a second, in manual mode. The motion stops unless the command is repeated within 250 ms.
  case move(DockAngles)
  /// Stand still.
  case stop
  /// Change who decides which subject is followed. Any motion stops.
  case mode(DockMode)
  /// Keep the subject at another place in the picture.
  case framing(DockFraming)
  /// Look for subjects only in this rectangle; nil for the whole picture.
  case regionOfInterest(DockRect?)
  /// Follow the subject at this point, instead of the present one.
  case selectPoint(DockPoint)
  /// Follow the subject with this number.
  case select(Int)
  /// Follow no subject.
  case clearSelection
  /// Play a movement with this name (``DockAnimation``).
  case animate(String)
  /// Go to the saved position with this name, or save the present one under it.
  case preset(String, saves: Bool)
  /// Zoom to this factor; clamped to the camera's range, or to 10 if the camera reports no range.
  case zoom(Double)
  /// Change the zoom by this amount; below zero zooms out.
  case zoomBy(Double)
  /// Switch a feature on or off.
  case feature(DockFeature, isOn: Bool)
}

/// The answer to a command.
public enum DockAnswer: Hashable, Sendable {
  /// The command is done, or has begun. The note is a sentence about a change that was made to the command.
  case accepted(note: String? = nil)
  /// The command had no effect; the sentence gives the reason.
  case refused(String)

  /// Whether the command had an effect.
  public var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

/// An event from a button or dial of a dock.
public enum DockEvent: Hashable, Sendable {
  /// The record key was pressed: begin or end a recording.
  case shutter
  /// The camera key was pressed: take a photo.
  case photo
  /// The amount to add to the zoom factor: above zero zooms in.
  case zoom(Double)
  /// Switch to the next lens.
  case flip
}
