/// What becomes of a JPEG picture whose data are damaged or end early. Only decoding shows that: a header can be in order, and the
/// data after it stop in the middle. Closed: there will be no other cases.
///
/// JPEG has no checksum: wrong bytes that still read as codes are not noticed.
///
/// Data that are whole count as sound, also without an end marker, with padding after it or stray bytes before it, as some cameras send them
/// (https://github.com/libjpeg-turbo/libjpeg-turbo/issues/157).
public enum DamagePolicy: Hashable, Sendable {
  /// Decoding throws `ImageError.corrupt`. For the frames of a camera, where the next one comes soon.
  case refuse
  /// What could be decoded is used, the rest is grey, and `Photo.notes` says so. For a file, of which there is no other copy.
  case keep
}
