import Imagery
import Probes

/// The same work for every program: make a JPEG file smaller, turn it upright, encode it at quality 85.
struct PhotoErrand: Sendable {
  /// The file, whose EXIF tag asks for a clockwise turn.
  let still: String
  /// The folder for the photos.
  let folder: String
  /// Size of the photo before it is turned.
  let size: PixelSize

  func photo(by name: String) -> String { "\(folder)/\(name).jpg" }
}

extension Peer {
  /// Returns other programs that make photos smaller, with their fastest options: the programs that can decode a JPEG at reduced size do
  /// that.
  static func photo(_ errand: PhotoErrand) -> [Peer] {
    let (box, whole) = ("\(errand.size.longSide)x\(errand.size.longSide)", errand.size)
    return [
      Peer(
        name: "gst-launch-1.0",
        package: "gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good",
        arguments: [
          "-q", "filesrc", "location=\(errand.still)", "!", "jpegdec", "!", "videoscale", "!",
          "video/x-raw,width=\(whole.width),height=\(whole.height)", "!", "videoflip", "video-direction=90r",
          "!",
          "jpegenc", "quality=85", "!", "filesink", "location=\(errand.photo(by: "gst-launch-1.0"))",
        ], versionOption: "--version"),
      Peer(
        name: "vipsthumbnail", package: "libvips-tools",
        arguments: [errand.still, "-s", box, "-o", errand.photo(by: "vipsthumbnail") + "[Q=85]"],
        versionOption: "--vips-version"),
      imageMagick(errand, box),
      Peer(
        name: "gm", package: "graphicsmagick",
        arguments: [
          "convert", "-size", box, errand.still, "-auto-orient", "-thumbnail", box, "-quality", "85",
          errand.photo(by: "gm"),
        ], versionOption: "version"),
      Peer(
        name: "ffmpeg", package: "ffmpeg",
        arguments: [
          "-v", "error", "-nostdin", "-y", "-noautorotate", "-i", errand.still,
          "-vf", "scale=\(whole.width):\(whole.height),transpose=clock", "-q:v", "4",
          errand.photo(by: "ffmpeg"),
        ], versionOption: "-version"),
    ]
  }

  /// Returns ImageMagick by the name of its version 7, or by the full name of version 6 in Debian, because a program called `convert` may
  /// be any program.
  private static func imageMagick(_ errand: PhotoErrand, _ box: String) -> Peer {
    let named = ["magick", "convert-im6.q16"].map { name in
      Peer(
        id: "imagemagick", name: name, package: "imagemagick",
        arguments: [
          "-define", "jpeg:size=\(box)", errand.still, "-auto-orient", "-thumbnail", box, "-quality", "85",
          errand.photo(by: "imagemagick"),
        ], versionOption: "-version")
    }
    return named.first { (try? $0.version()) ?? nil != nil } ?? named[0]
  }
}
