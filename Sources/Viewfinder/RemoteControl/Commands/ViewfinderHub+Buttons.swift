import Capture
import Dock
import JSON
import Recording

/// Buttons, wheels and keys of devices beside the camera. Each runs the same code as the page's own button.
extension ViewfinderHub {
  /// Performs a button's action, and reports it to all clients, with the reason if it was refused.
  func press(_ event: DockEvent) async {
    let (button, outcome) = await act(on: event)
    await refresh()
    var members: [String: JSONValue] = ["button": .string(button)]
    if case .refused(let reason) = outcome { members["refused"] = .text(reason) }
    publisher.tell(event: "button", members)
  }

  private func act(on event: DockEvent) async -> (button: String, CommandOutcome) {
    switch event {
    case .photo: ("photo", await takePhoto())
    case .shutter:
      ("record", recorder.current == .idle ? await startRecording(nil) : await stopRecording())
    case .zoom(let amount): ("zoom", await zoom(by: amount))
    case .flip: ("flip", await nextLens())
    }
  }

  private func zoom(by amount: Double) async -> CommandOutcome {
    let controls = await session.controls
    let range = controls.capability(.zoom)?.range ?? 1...10
    let factor = min(max(controls.zoom + amount, range.lowerBound), range.upperBound)
    return Self.outcome(await session.set(.zoom, to: .number(factor)))
  }

  /// Selects the next camera, or the first after the last. A lens that only shows a part of another lens's picture is skipped.
  private func nextLens() async -> CommandOutcome {
    let choices = lenses.choices
    let others = (1..<max(choices.count, 1)).map { (facts.lens + $0) % choices.count }
    guard let next = others.first(where: { !choices[$0].isCrop }) else {
      return .refused("there is no other camera; add one with `swiftwing view --serve --lens`")
    }
    return await selectLens("\(next)")
  }
}
