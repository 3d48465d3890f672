import JSON
import Testing

@testable import Dock

@Suite struct MessageTests {
  @Test func commandsOfTheChannelAreRead() throws {
    #expect(
      try DockCommand("dockMove", ["pan": .number(0.2), "tilt": .integer(0)])
        == .move(DockAngles(pan: 0.2, tilt: 0)))
    #expect(try DockCommand("dockROI", ["rect": .null]) == .regionOfInterest(nil))
    #expect(
      try DockCommand("dockROI", ["rect": .array([.integer(0), .integer(0), .number(0.5), .integer(1)])])
        == .regionOfInterest(DockRect(x: 0, y: 0, width: 0.5, height: 1)))
    #expect(try DockCommand("dockSelect", [:]) == .clearSelection)
    #expect(try DockCommand("dockSelect", ["id": .integer(3)]) == .select(3))
    #expect(try DockCommand("dockZoom", ["direction": .integer(-1)]) == .zoomBy(-1))
    #expect(
      try DockCommand("dockFeature", ["name": .string("tracking"), "on": .bool(true)])
        == .feature(.tracking, isOn: true))
  }

  @Test(arguments: [
    ("dockMove", ["pan": JSONValue.number(.infinity), "tilt": .integer(0)]),
    ("dockMove", ["pan": .integer(1)]),
    ("dockMode", ["mode": .string("auto")]), ("dockROI", ["rect": .array([.integer(1)])]),
    ("dockSelect", ["x": .number(2), "y": .number(0)]), ("dockFly", [:]), ("dockPreset", [:]),
  ]) func whatIsWrongIsRefused(_ name: String, _ arguments: [String: JSONValue]) {
    #expect(throws: JSONError.self) { try DockCommand(name, arguments) }
  }

  @Test func theDocumentHasEveryMember() {
    guard case .object(let members) = DockState().document else {
      Issue.record("no object")
      return
    }
    #expect(
      Set(members.keys) == [
        "status", "name", "battery", "mode", "framing", "roi", "subjects", "selected", "motion", "position",
        "features",
        "animation", "presets", "summary", "unsupported", "refusal",
      ])
    #expect(members["selected"] == .null && members["unsupported"] != .null)
  }
}
