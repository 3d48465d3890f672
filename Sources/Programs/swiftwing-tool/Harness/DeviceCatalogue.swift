import Capture
import Corpora
import Imagery

/// All available sources.
struct DeviceCatalogue: Encodable {
  struct Entry: Encodable {
    /// The specification for `--source`.
    var source: String
    var kind: String
    var name: String
    var driver: String
    var bus: String
    var formats: [String]
    /// The stable names, which do not change with the device's number.
    var stableNames: [String]?
  }

  var sources: [Entry]
  /// Unusable devices, each with the reason.
  var problems: [String]

  static func find(corpusRoots roots: [String]) -> DeviceCatalogue {
    var catalogue = DeviceCatalogue(sources: [], problems: [])
    catalogue.addCameras()
    catalogue.addCorpora(roots)
    catalogue.sources.append(
      Entry(
        source: "simulated:1280x720@60", kind: "simulated", name: "Simulated camera", driver: "simulated",
        bus: "simulated",
        formats: ["any even size from 64 to 8192, 1 to 240 fps, NV12, YU12, YUYV, AR24, AB24"]))
    catalogue.sources.append(
      Entry(
        source: "sensor:640x360@30", kind: "simulated", name: "Simulated sensor", driver: "simulated",
        bus: "simulated", formats: ["any even size from 64 to 8192, 1 to 240 fps, NV12"]))
    return catalogue
  }

  private mutating func addCameras() {
    do throws(CameraError) {
      for camera in try ConnectedCamera.list() { add(camera) }
    } catch {
      problems.append(error.description)
    }
  }

  private mutating func add(_ camera: ConnectedCamera) {
    switch camera.description {
    case .success(let description):
      sources.append(
        Entry(
          source: camera.path, kind: "v4l2", name: description.name, driver: description.driver,
          bus: description.bus, formats: CameraDescription.lines(description.formats),
          stableNames: camera.stablePaths))
    case .failure(let error): problems.append("\(camera.name): \(error)")
    }
  }

  private mutating func addCorpora(_ roots: [String]) {
    let (corpora, errors) = Corpus.list(in: roots)
    problems += errors.map(\.description)
    var seen: Set<String> = []
    for corpus in corpora where seen.insert(corpus.manifest.name).inserted {
      let manifest = corpus.manifest
      let format = CameraFormat(image: manifest.imageFormat, frameInterval: manifest.frameInterval)
      sources.append(
        Entry(
          source: "corpus:\(manifest.name)", kind: "corpus", name: manifest.title, driver: "replay",
          bus: corpus.directory,
          formats: [manifest.isStills ? "\(manifest.frameCount) stills" : format.description]))
    }
  }
}

extension CameraDescription {
  /// A line for each pixel format and size, with all its rates.
  fileprivate static func lines(_ formats: [CameraFormat]) -> [String] {
    var lines: [(image: ImageFormat, rates: [String])] = []
    for format in formats {
      let rate = format.frameInterval.description
      if lines.last?.image == format.image {
        lines[lines.count - 1].rates.append(rate)
      } else {
        lines.append((format.image, [rate]))
      }
    }
    return lines.map {
      "\($0.image.pixelFormat.rawValue) \($0.image.size): \($0.rates.joined(separator: ", "))"
    }
  }
}
