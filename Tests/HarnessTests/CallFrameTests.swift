import Testing

@testable import Harness

@Suite struct CallFrameTests {
  private func cost(_ name: String, _ own: Double, _ callers: [String: Double] = [:]) -> FunctionCost {
    let sorted = callers.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    return FunctionCost(
      name: name, library: "tool", own: own, callers: sorted.map(\.key),
      callerInstructions: sorted.map(\.value))
  }

  private func count(_ functions: [FunctionCost]) -> FunctionCount {
    FunctionCount(counter: "callgrind", functions: functions)
  }

  /// Returns a call tree: `photo` calls `scale` and `turn`, and both call `copy`, of which `turn` causes three times as many
  /// instructions.
  private func tree(copy: Double = 400) -> FunctionCount {
    count([
      cost("photo", 100), cost("scale", 200, ["photo": 200 + copy / 4]),
      cost("turn", 300, ["photo": 300 + copy * 3 / 4]),
      cost("copy", copy, ["scale": copy / 4, "turn": copy * 3 / 4]),
    ])
  }

  @Test func whatAFunctionTakesIsSharedOutAmongItsCallers() throws {
    let photo = try #require(CallTree(tree())?.roots.first)
    #expect(photo.name == "photo" && abs(photo.instructions - 1000) < 1e-9)
    let copies = photo.below.flatMap(\.below)
    #expect(copies.map(\.name) == ["copy", "copy"])
    #expect(Set(photo.below.map { $0.instructions.rounded() }) == [300, 600])
  }

  @Test func eachBoxStandsUnderItsCallerAndBesideItsSiblings() {
    let frames = CallFrame.between(tree(), tree(copy: 800))
    #expect(frames.map(\.name) == ["photo", "turn", "copy", "scale", "copy"])
    #expect(frames.map(\.depth) == [0, 1, 2, 1, 2])
    #expect(frames.map { $0.start.rounded() } == [0, 0, 0, 900, 900])
    #expect(frames.map { $0.new.rounded() } == [1400, 900, 600, 400, 200])
    #expect(frames.map { $0.base.rounded() } == [1000, 600, 300, 300, 100])
  }

  @Test func whatIsGoneIsDrawnAsItWas() {
    let frames = CallFrame.between(
      tree(copy: 800), count([cost("photo", 100), cost("scale", 200, ["photo": 200])]))
    #expect(frames.first { $0.name == "turn" }.map { [$0.base, $0.new] } == [900, 0])
  }

  @Test func aFunctionThatOnlyPassesOnIsLeftOut() {
    let chained = count([
      cost("start", 0), cost("thunk", 0, ["start": 500]), cost("work", 500, ["thunk": 500]),
    ])
    #expect(CallFrame.between(chained, chained).map(\.name) == ["work"])
  }

  /// If a new function wraps others, these are still compared with their former counts.
  @Test func aFunctionThatWasPutBetweenIsNewAlone() {
    let wrapped = count([
      cost("wrapper", 50), cost("photo", 100, ["wrapper": 1000]), cost("scale", 200, ["photo": 300]),
      cost("turn", 300, ["photo": 600]), cost("copy", 400, ["scale": 100, "turn": 300]),
    ])
    let frames = CallFrame.between(tree(), wrapped)
    #expect(frames.map(\.name) == ["wrapper", "photo", "turn", "copy", "scale", "copy"])
    #expect(frames.dropFirst().allSatisfy { abs($0.new - $0.base) < 1e-9 } && frames[0].base == 0)
    let back = CallFrame.between(wrapped, tree())
    #expect(back.dropFirst().allSatisfy { abs($0.new - $0.base) < 1e-9 } && back[0].new == 0)
  }

  /// Functions that call each other in a cycle, or themselves, do not make the walk endless.
  @Test func aRingEnds() {
    let ring = count([
      cost("main", 10), cost("a", 100, ["main": 300, "b": 100]), cost("b", 100, ["a": 200, "b": 50]),
    ])
    let frames = CallFrame.between(ring, ring)
    #expect(frames.map(\.name).prefix(2) == ["main", "a"])
    #expect(frames.count < 10)
  }

  @Test func noMoreThanTheWidestAreKeptAndNoneHangsInTheAir() {
    let many = (0..<300).map { cost("f\($0)", Double(300 - $0) * 10, ["photo": Double(300 - $0) * 10]) }
    let frames = CallFrame.between(
      count([cost("photo", 1), cost("f0", 9, ["photo": 9])]), count([cost("photo", 1)] + many))
    #expect(frames.count <= CallFrame.limit && frames.first?.name == "photo")
    #expect(frames.contains { $0.name == "f0" } && !frames.contains { $0.name == "f199" })
  }

  @Test func aCountThatDoesNotSayWhoCallsHasNone() {
    #expect(CallFrame.between(count([cost("photo", 100)]), tree()).isEmpty)
  }

  @Test func theDrawingSaysWhatChangedWithoutColour() throws {
    let drawing = try #require(FlameDrawing(CallFrame.between(tree(), tree(copy: 800)), title: "A photo"))
    #expect(drawing.svg.contains("+50 % turn") && drawing.svg.contains("flame more"))
    #expect(drawing.svg.contains("<title>copy: 600, was 300</title>"))
    #expect(drawing.svg.contains("aria-label=\"A photo, who calls whom: photo +40 %"))
  }

  /// Names in a report are untrusted.
  @Test func namesAreEscapedAndNonsenseIsLeftOut() throws {
    let hostile = CallFrame(name: "<script>&\"", depth: 0, start: 0, base: 10, new: 1e14)
    let wild = CallFrame(name: "wild", depth: 1 << 40, start: -.infinity, base: .nan, new: 1e300)
    let svg = try #require(FlameDrawing([hostile, wild], title: "<b>")).svg
    #expect(!svg.contains("<script>") && !svg.contains("<b>") && !svg.contains("wild"))
    #expect(FlameDrawing([wild], title: "none") == nil && FlameDrawing(nil, title: "none") == nil)
    let tiny = CallFrame(name: "tiny", depth: 0, start: 0, base: 0, new: .leastNonzeroMagnitude)
    #expect(FlameDrawing([tiny], title: "none")?.svg == nil)
  }
}
