package import Capture
package import Dock
package import JSON
import System

/// The dock of a viewfinder: the camera's motors, if it has any, and the buttons of devices beside it.
package final class ViewfinderDock: DockControl {
  private let controller: DockController
  private let listening = Locked<Task<Void, Never>?>(nil)

  package init(_ controller: DockController) { self.controller = controller }

  deinit { listening.withLock { $0?.cancel() } }

  package func attach(to session: CaptureSession) async { await controller.attach(to: session) }

  package func detach() async {
    listening.withLock { $0.take() }?.cancel()
    await controller.detach()
  }

  package func state() async -> JSONValue { controller.state.document }

  package func perform(
    _ name: String, _ arguments: [String: JSONValue], client: Int
  ) async -> CommandOutcome {
    let command: DockCommand
    do throws(JSONError) { command = try DockCommand(name, arguments) } catch {
      return .refused("cannot do \(name): \(error.reason)")
    }
    switch await controller.perform(command, client: client) {
    case .accepted(let note): return .accepted(note.map { ["note": .text($0)] } ?? [:])
    case .refused(let reason): return .refused(reason)
    }
  }

  package func lost(client: Int) async { controller.lost(client: client) }
  package func offer(_ rects: [DockRect]) async { controller.offer(rects) }
  package func buttons() async -> AsyncStream<DockEvent> { controller.events() }

  package func observe(_ tell: @escaping @Sendable () -> Void) async {
    let states = controller.states()
    listening.withLock { listening in
      listening?.cancel()
      listening = Task { for await _ in states { tell() } }
    }
  }
}
