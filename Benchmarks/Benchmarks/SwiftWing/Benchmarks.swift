import Benchmark
import Charts
import Corpora
import Foundation
import Harness
import Imagery
import Subjects

/// Returns the configuration of a benchmark. It measures no CPU time, which has ticks of 10 ms here and would not tell the cost of
/// a frame; `swiftwing bench --scenario photo.floor` reads the thread's own clock. Work that takes much less than a millisecond is
/// repeated, and its figure is scaled back to one repetition.
private func configuration(_ scale: BenchmarkScalingFactor = .one) -> Benchmark.Configuration {
  Benchmark.Configuration(
    metrics: [.wallClock, .peakMemoryResident], warmupIterations: 3, scalingFactor: scale,
    maxDuration: .seconds(3), maxIterations: 200)
}

let benchmarks: @Sendable () -> Void = {
  let subjects: Subjects
  do {
    subjects = try Subjects(corpora: ProcessInfo.processInfo.environment["SWIFTWING_CORPUS"] ?? "../Corpus")
  } catch {
    fatalError("cannot prepare the pictures to measure: \(error)")
  }
  photoBenchmarks(subjects)
  decodingBenchmarks(subjects)
  previewBenchmarks(subjects)
  corpusBenchmarks(subjects)
  harnessBenchmarks()
}

private func photoBenchmarks(_ subjects: Subjects) {
  let sources = [
    ("12 MP JPEG → 90° → 768×1024", subjects.jpeg12MP),
    ("12 MP NV12 → 90° → 768×1024", subjects.nv12MP12),
    ("1080p MJPEG → 90° → 576×1024", subjects.mjpegHD),
  ]
  for (name, image) in sources {
    Benchmark("Photo: \(name)", configuration: configuration()) { benchmark in
      let pipeline = PhotoPipeline()
      let settings = PhotoSettings(maximumBytes: nil)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        blackHole(
          try pipeline.process(image, orientation: Orientation(rotation: .clockwise90), settings: settings))
      }
    }
  }
}

/// Decoding at full size, without any other step.
private func decodingBenchmarks(_ subjects: Subjects) {
  for (name, image) in [("12 MP JPEG", subjects.jpeg12MP), ("1080p MJPEG", subjects.mjpegHD)] {
    Benchmark("Decode: \(name) → I420", configuration: configuration()) { benchmark in
      let converter = ImageConverter(pool: PixelBufferPool())
      for _ in benchmark.scaledIterations {
        blackHole(try converter.convert(image, to: .i420, color: image.format.color))
      }
    }
  }
}

private func previewBenchmarks(_ subjects: Subjects) {
  let turned = Orientation(rotation: .clockwise90)
  let cases: [(String, PixelBuffer, Orientation, Int, Int)] = [
    ("1080p NV12 → RGBA, 90°", subjects.nv12HD, turned, 1080, 1920),
    ("1080p NV12 → RGBA", subjects.nv12HD, .upright, 1920, 1080),
    ("1080p NV12 → 720×1280 aspect fill, 90°", subjects.nv12HD, turned, 720, 1280),
    ("1080p MJPEG → RGBA, 90°", subjects.mjpegHD, turned, 1080, 1920),
  ]
  for (name, image, orientation, width, height) in cases {
    Benchmark("Preview: \(name)", configuration: configuration()) { benchmark in
      let renderer = PreviewRenderer()
      let surface = try Subjects.surface(width, height)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        try renderer.render(image, orientation: orientation, into: surface)
      }
    }
  }
}

private func corpusBenchmarks(_ subjects: Subjects) {
  Benchmark("Time-code: read from 720p NV12", configuration: configuration(.kilo)) { benchmark in
    let corners = ChartCorners(subjects.code)
    for _ in benchmark.scaledIterations { blackHole(TimeCode.read(from: subjects.coded, corners: corners)) }
  }
  Benchmark("Corpus: open shelf-pan, 300 frames", configuration: configuration()) { benchmark in
    for _ in benchmark.scaledIterations {
      let corpus = try Corpus(opening: subjects.corpusDirectory)
      blackHole(try corpus.track().remaining())
    }
  }
}

private func harnessBenchmarks() {
  Benchmark("Report: encode", configuration: configuration()) { benchmark, pair in
    for _ in benchmark.scaledIterations { blackHole(try ReportFile.encode(pair.new)) }
  } setup: {
    try await ReportPair()
  }
  Benchmark("Comparison: 12 metrics of 300 samples", configuration: configuration()) { benchmark, pair in
    for _ in benchmark.scaledIterations { blackHole(Comparison(base: pair.base, new: pair.new)) }
  } setup: {
    try await ReportPair()
  }
}
