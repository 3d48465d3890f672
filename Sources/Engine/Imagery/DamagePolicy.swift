/// The handling of a JPEG picture whose data are damaged or end early. Only decoding shows that: a header can be valid while the
/// data after it stop in the middle. This enumeration is closed: no later version adds a case.
///
/// JPEG has no checksum: wrong bytes that are still valid codes are not detected.
///
/// Complete data count as sound even if the end marker is missing, is preceded by stray bytes or is followed
/// by padding, as with some cameras (https://github.com/libjpeg-turbo/libjpeg-turbo/issues/157).
public enum DamagePolicy: Hashable, Sendable {
  /// Decoding throws `ImageError.corrupt`. For the frames of a camera, since the next one comes soon.
  case refuse
  /// The part that could be decoded is used, the rest is grey, and `Photo.notes` reports it. For a file, since there is no other copy.
  case keep
}
