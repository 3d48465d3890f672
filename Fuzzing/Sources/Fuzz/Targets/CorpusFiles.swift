import Charts
import Foundation
import Imagery

@testable import Corpora
@testable import JSON

extension FuzzTarget {
  static let corpora = [json, manifest, track, truth]

  private static let json = FuzzTarget(
    name: "json",
    seeds: [
      #"{"a":[1,-2.5e3,true,null,"\u00e9\n"]}"#, #"{"\ud83d\ude00":-0}"#, "[1e400,12345678901234567890]",
    ]
    .map { Array($0.utf8) }
  ) { bytes in
    guard let value = try? JSONParser.parse(bytes) else { return }
    for written in [JSONSerializer.line(value), JSONSerializer.document(value)] {
      guard let again = try? written.withUnsafeBytes({ try JSONParser.parse($0) }) else {
        fatalError("what was written cannot be read: \(String(decoding: written, as: UTF8.self))")
      }
      hold(JSONSerializer.line(again) == JSONSerializer.line(value), "it reads otherwise than it was written")
    }
  }

  private static let manifest = FuzzTarget(
    name: "manifest", longest: 8192,
    seeds: [JSONSerializer.document(wholeManifest), JSONSerializer.line(wholeManifest)]
  ) { bytes in
    guard let value = try? JSONParser.parse(bytes), let manifest = try? CorpusManifest(value) else { return }
    hold((try? CorpusManifest(manifest.json())) == manifest, "what is written is not what was read")
  }

  private static let truth = FuzzTarget(
    name: "truth", longest: 8192,
    seeds: [
      JSONSerializer.line(
        CorpusTruth(
          spines: [
            .init(
              title: "Emma", author: "Jane Austen", textAngle: 90, isStacked: true,
              box: TruthBox(x: 1, y: 2, width: 3, height: 4), file: "a.jpg")
          ], views: [.init(file: "a.jpg", x: 1.5, y: 0, attitude: 90)],
          faults: [.init(kind: .stall, time: 5, durationNanoseconds: 7, file: "a.jpg", lostFrames: 1)]
        ).json)
    ], files: ["Corpus/trouble/truth.json"]
  ) { bytes in
    guard let value = try? JSONParser.parse(bytes), let truth = try? CorpusTruth(value) else { return }
    hold((try? CorpusTruth(truth.json)) == truth, "what is written is not what was read")
  }

  /// Reads a track from a corpus folder, as a replay does.
  private static let track = FuzzTarget(
    name: "track", longest: 16_384,
    seeds: [
      [UInt8](
        """
        {"file":"frames/000001.jpg","sequence":0,"t":0,"type":"frame"}
        {"degrees":358.37,"t":1,"type":"angle"}
        {"durationNanoseconds":1500000000,"t":2,"type":"stall"}
        {"phase":"began","reason":"deviceInUse","t":3,"type":"interruption"}
        {"t":4,"type":"unplug"}
        {"t":5,"type":"replug"}

        """)
    ], files: ["Fuzzing/Seeds/track"]
  ) { bytes in
    _ = FileManager.default.createFile(atPath: "\(scratchCorpus)/track.jsonl", contents: Data(bytes))
    do {
      let track = try Corpus(opening: scratchCorpus).track()
      var last: Int64 = 0
      while let event = try track.next() {
        hold(event.time >= last, "time goes back from \(last) to \(event.time)")
        last = event.time
      }
    } catch { hold(!"\(error)".isEmpty, "an error without a word") }
  }

  /// A manifest with every key that is allowed.
  private static var wholeManifest: JSONValue {
    var manifest = CorpusManifest(
      name: "x", title: "X", licence: "Apache-2.0", madeBy: "hand", pixelFormat: .mjpeg,
      size: PixelSize(width: 64, height: 48), color: .jpeg,
      frameInterval: FrameInterval(numerator: 1, denominator: 30), mountAngle: .clockwise90, isMirrored: true,
      exposureEdge: .startOfExposure, isStills: false)
    manifest.madeWith = ["a"]
    manifest.durationNanoseconds = 1
    manifest.timeCode = ChartRect(x: 0, y: 0, width: 24, height: 24)
    manifest.fiducials = [ChartRect(x: 30, y: 0, width: 6, height: 6)]
    return manifest.json(digests: ["frames/1.jpg": "sha256:" + String(repeating: "0", count: 64)])
  }

  /// The path of a corpus folder with a valid manifest, which only this process uses.
  private static let scratchCorpus: String = {
    let folder = NSTemporaryDirectory() + "/fuzz-corpus-\(getpid())"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(
      atPath: "\(folder)/corpus.json", contents: Data(JSONSerializer.document(wholeManifest)))
    return folder
  }()
}
