import Foundation
import JSON
import Settings
import System
import Testing

@testable import RemoteControl

/// CON-1, checklist B 29: two clients send commands in random interleavings. No change is lost, each command is answered once and
/// in its client's order, and both clients reach the same document. `SWIFTWING_INTERLEAVINGS` sets the number of rounds; 10,000
/// take a minute.
@Suite struct InterleavingTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["SWIFTWING_INTERLEAVINGS"].flatMap { Int($0) } ?? 500
  /// The number of rounds between two checks. It is small, because the number of waiting commands is limited.
  private static let batch = 25

  @Test func noChangeOfTwoClientsIsLost() async throws {
    let rig = try HubRig(settings: Self.settings())
    await rig.hub.begin()
    let clients = [Listener(1), Listener(2)]
    for client in clients { await rig.hub.connect(client.client) }
    var (generator, sent) = (SplitMix64(seed: 29), [0, 0])
    var expected: [String: JSONValue] = [:]
    for round in 0..<Self.rounds {
      // Each client sends one command or two, in random order.
      var turns = [0, 1] + (0..<2).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
      turns.shuffle(using: &generator)
      for turn in turns {
        let (key, value) = Self.change(turn, round, &generator)
        rig.hub.send(
          clients[turn], "setSetting", ["key": .string(key), "value": value], id: "\(sent[turn])")
        sent[turn] += 1
        expected[key] = value
      }
      guard round % Self.batch == Self.batch - 1 else { continue }
      for turn in 0..<2 { _ = await clients[turn].answer("\(sent[turn] - 1)") }
      for (key, value) in expected { #expect(rig.hub.publisher.document["settings"]?[key] == value) }
    }
    // A command's change may follow its answer.
    for turn in 0..<2 {
      await clients[turn].follows(to: rig.hub.publisher.document)
      Self.judge(clients[turn], sent: sent[turn], rig.hub.publisher.document)
    }
    await rig.hub.end()
  }

  /// Returns the path of a settings file, in memory if possible, because each command writes the file.
  private static func settings() -> String? {
    let folder = "/dev/shm"
    guard FileManager.default.isWritableFile(atPath: folder) else { return nil }
    return "\(folder)/swiftwing-interleaving-\(UUID().uuidString)/settings.json"
  }

  /// Returns a change of a key that only this client changes, or of one that both change.
  private static func change(
    _ turn: Int, _ round: Int, _ generator: inout SplitMix64
  ) -> (key: String, value: JSONValue) {
    if Int.random(in: 0..<3, using: &generator) == 0 {
      return ("isEVBiasVisible", .bool(Bool.random(using: &generator)))
    }
    let share = Double(round % 200 + 1) / 1000
    return turn == 0 ? ("flashlightIntensity", .number(share)) : ("selectedFrameRate", .number(1 + share))
  }

  private static func judge(_ client: Listener, sent: Int, _ document: JSONValue) {
    var (state, answers, gaps) = (FollowedState(), [String](), 0)
    for message in client.messages {
      if state.take(message) == .broken { gaps += 1 }
      guard message["type"] == .string("answer") else { continue }
      #expect(message["status"] == .string("accepted"))
      if case .string(let id)? = message["id"] { answers.append(id) }
    }
    #expect(gaps == 0)
    #expect(answers == (0..<sent).map { "\($0)" })
    #expect(state.document.map(Self.line) == Self.line(document))
  }

  private static func line(_ document: JSONValue) -> [UInt8] {
    JSONSerializer.line(MergePatch.stripped(document))
  }
}
