/// Checks other programs that commands call.
struct ProgramChecks {
  let surroundings: Surroundings

  var findings: [Diagnosis] {
    [viewfinder, video, recording, secondOpinion, drawing]
  }

  private var viewfinder: Diagnosis {
    let path = "\(surroundings.programs)/swiftwing"
    return surroundings.hasProgram(path)
      ? .ok("viewfinder", path, for: ["view", "bench"])
      : .missing(
        "viewfinder", "there is no \(path)", remedy: "install SwiftWing again, or `make build`",
        for: ["view", "bench"])
  }

  private var video: Diagnosis {
    let absent = ["ffmpeg", "ffprobe"].filter { !surroundings.hasProgram($0) }
    return absent.isEmpty
      ? .ok("video files", "ffmpeg and ffprobe", for: ["corpus import"])
      : .limited(
        "video files",
        "\(absent.joined(separator: " and ")) not found, so that only pictures can be imported",
        remedy: "install ffmpeg", for: ["corpus import"])
  }

  private var recording: Diagnosis {
    let codecs = surroundings.videoCodecs()
    return codecs.contains("h264")
      ? .ok("recording", codecs.joined(separator: ", "), for: ["record"])
      : .limited(
        "recording",
        codecs.isEmpty
          ? "FFmpeg's libraries cannot be loaded, so that only corpora can be recorded"
          : "no encoder of H.264 found, so that only \(codecs.joined(separator: ", ")) can be recorded",
        remedy: "install ffmpeg", for: ["record"])
  }

  private var secondOpinion: Diagnosis {
    surroundings.hasProgram("v4l2-compliance")
      ? .ok("second opinion", "v4l2-compliance", for: ["qualify"])
      : .limited(
        "second opinion", "v4l2-compliance not found, so that its rule is unsupported",
        remedy: "install v4l-utils",
        for: ["qualify"])
  }

  private var drawing: Diagnosis {
    surroundings.hasProgram("\(surroundings.programs)/swiftwing-render")
      ? .ok("drawing of corpora", "swiftwing-render", for: ["corpus make"])
      : .limited(
        "drawing of corpora", "swiftwing-render not found; only a build of the sources has it",
        remedy: "you need it only to change the bundled corpora: `make build`", for: ["corpus make"])
  }
}
