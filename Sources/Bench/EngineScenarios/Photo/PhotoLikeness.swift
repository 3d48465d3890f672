import Harness
import Probes

/// The likeness of a source's photos to their originals, as metrics.
struct PhotoLikeness {
  /// The name of the source, as in the ids of the metrics.
  let name: String
  let comparisons: [PhotoComparison]
  let evidence: EvidenceLevel
  var kind = MetricKind.observed

  var metrics: [Measurement] {
    let jpeg = comparisons.filter { $0.kind != .png }.map(\.difference)
    let png = comparisons.filter { $0.kind == .png }.map(\.difference)
    return [
      metric(
        "likeness", "luma of the JPEG against the original", unit: .decibels, samples: jpeg.map(\.likeness)),
      metric(
        "scaling", "luma against the original, before compression (PNG)", unit: .decibels,
        samples: png.map(\.likeness)),
      metric(
        "scaling-ssim", "structural similarity of luma with the original, before compression (PNG)",
        unit: .ratio,
        samples: png.map(\.similarity)),
      metric(
        "chroma", "mean distance of Cb and Cr from the original", unit: .levels,
        samples: jpeg.map(\.chromaMean)),
      metric(
        "chroma-p99", "distance of 99 in 100 Cb and Cr from the original", unit: .levels,
        samples: jpeg.map(\.chromaHigh)),
      metric(
        "scaling-chroma", "mean distance of Cb and Cr from the original, before compression (PNG)",
        unit: .levels,
        samples: png.map(\.chromaMean)),
    ]
  }

  private func metric(_ id: String, _ title: String, unit: MeasurementUnit, samples: [Double])
    -> Measurement
  {
    Measurement(
      id: "photo.\(name).\(id)", title: "\(name): \(title)", unit: unit,
      polarity: [.decibels, .ratio].contains(unit) ? .higherIsBetter : .lowerIsBetter, level: evidence,
      kind: kind, samples: samples)
  }
}
