/// Lines of a photo → spines, one a physical book.
struct SpineGrouping {
  func spines(_ lines: [TextLine], barcodes: [BarcodeFinding]) -> [SpineFinding] {
    lines.map {
      SpineFinding(
        title: $0.text, author: nil, isbn: nil, confidence: $0.confidence, box: $0.region.box,
        angle: $0.region.angle)
    }
  }
}
