import Dock
import Testing

@Suite struct GeometryTests {
  @Test func theOverlapIsWhatBothHaveOfWhatEitherHas() {
    let left = DockRect(x: 0, y: 0, width: 0.5, height: 0.5)
    let right = DockRect(x: 0.25, y: 0, width: 0.5, height: 0.5)
    #expect(abs(left.overlap(right) - 1.0 / 3) < 1e-9)
    #expect(left.overlap(DockRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)) == 0)
  }

  @Test func aRectangleWithoutFiniteNumbersIsNotUsable() {
    #expect(!DockRect(x: .nan, y: 0, width: 1, height: 1).isUsable)
    #expect(!DockRect(x: 2, y: 0, width: 1, height: 1).isUsable)
    #expect(DockRect.whole.isUsable)
  }
}
