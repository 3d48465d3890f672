import Capture
import Imagery
import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The verdict on a turn: correct angles pass, and each mistake is reported.
@Suite struct RotationJudgeTests {
  /// The expected orientations of eight frames, two at each angle.
  private let expected: [UInt32: Orientation] = Dictionary(
    uniqueKeysWithValues: (0..<8).map { number in
      (UInt32(number), Orientation(rotation: Rotation.allCases[number / 2]))
    })

  private struct Shown {
    var number: UInt32
    var code: UInt32?
    var seen: Orientation?
    var capture: Orientation
  }

  private func log(_ change: (inout [Shown]) -> Void) -> [Presentation] {
    var shown = expected.sorted { $0.key < $1.key }.map {
      Shown(number: $0.key, code: $0.key, seen: $0.value, capture: $0.value)
    }
    change(&shown)
    return shown.map { picture in
      let time = MonotonicTime(nanoseconds: Int64(picture.number) * 20_000_000)
      return Presentation.example(
        sequence: picture.number, exposure: time, presented: time + .milliseconds(25), code: picture.code,
        seen: picture.seen, orientation: FrameOrientation(preview: picture.capture, capture: picture.capture))
    }
  }

  private func compared(_ change: (inout [Shown]) -> Void) -> TurnComparison {
    TurnComparison(log(change), expected: expected)
  }

  @Test func framesTurnedAsTheyWereHeldPass() {
    let right = RotationTurn.check(compared { _ in }, "x")
    #expect(right.passed && right.requirement == "ROT-3")
    #expect(RotationTurn.metric(compared { _ in }, "x").samples == [0])
  }

  @Test func aWrongUnreadOrMissingFrameFails() {
    let wrong = compared { $0[3].seen = .upright }
    #expect(wrong.wrong == 1 && !RotationTurn.check(wrong, "x").passed)
    #expect(RotationTurn.metric(wrong, "x").samples == [1])
    let mirrored = compared { $0[0].seen = Orientation(rotation: .none, isMirrored: true) }
    #expect(mirrored.wrong == 1)
    let unread = compared { $0[2].code = nil }
    #expect(unread.unreadable == 1 && !unread.isRight)
    let missing = compared { $0.remove(at: 5) }
    #expect(missing.missing == 1 && missing.wrong == 0 && !missing.isRight)
    // The picture is that of another frame, but has this frame's orientation.
    let stale = compared { $0[4].code = 0 }
    #expect(stale.wrong == 1 && stale.missing == 0)
    let three = TurnComparison(log { $0.removeLast(2) }, expected: expected.filter { $0.key < 6 })
    #expect(three.wrong == 0 && three.missing == 0 && !three.isRight)
    let none = compared { $0 = [] }
    #expect(!RotationTurn.check(none, "x").passed && RotationTurn.metric(none, "x").samples.isEmpty)
  }

  private func lock(_ change: (inout [Shown]) -> Void) -> [String] {
    let locked = Orientation(rotation: .clockwise90)
    let log = log { shown in
      for index in shown.indices { shown[index].seen = locked }
      change(&shown)
    }
    return RotationTurn.checks(LockComparison(log, locked: locked, expected: expected), "x")
      .filter { !$0.passed }.map(\.id)
  }

  @Test func aLockedPreviewStaysAndWhatIsCapturedFollows() {
    #expect(lock { _ in } == [])
    #expect(lock { $0[7].seen = $0[7].capture } == ["rotation.x.locked"])
    #expect(lock { $0[7].seen = nil } == ["rotation.x.locked"])
    #expect(lock { $0[7].capture = .upright } == ["rotation.x.captured"])
    #expect(
      lock { for index in $0.indices { $0[index].capture = Orientation(rotation: .clockwise90) } }
        == ["rotation.x.captured"])
    #expect(lock { $0 = [] } == ["rotation.x.locked", "rotation.x.captured"])
  }

  /// The checks cite exactly the requirements that the scenario names.
  @Test func theTurnAnswersWhatItNames() {
    let lock = LockComparison([], locked: .upright, expected: [:])
    let cited = [RotationTurn.check(compared { _ in }, "x")] + RotationTurn.checks(lock, "x")
    #expect(
      Set(cited.compactMap(\.requirement)) == Set(RotationTurn(rig: Rig(viewfinder: "")).requirements))
  }

  @Test func aPictureOfTheMatrixThatIsNotUprightFails() {
    func proof(_ held: Rotation, _ residual: Orientation? = .upright) -> RotationProof {
      RotationProof(output: "preview", held: held, residual: residual, scores: [], picture: nil)
    }
    let matrix = RotationMatrix(rig: Rig(viewfinder: ""))
    func passes(_ proofs: [RotationProof], rests: Int = 4) -> Bool {
      matrix.check("preview", of: proofs, rests: rests, in: "x").passed
    }
    let right = Rotation.allCases.map { proof($0) }
    #expect(passes(right))
    #expect(!passes(right.dropLast() + [proof(.clockwise270, Orientation(rotation: .half))]))
    #expect(!passes(right.dropLast() + [proof(.clockwise270, nil)]))
    #expect(!passes(right, rests: 5))
    #expect(!passes(Array(right.dropLast()), rests: 3))
    #expect(!passes([], rests: 0))
  }

  /// Plays the recording through the engine.
  @Test(
    arguments: [
      (nil, []), (.ignoresLock, ["rotation.turn.locked", "rotation.turn-mirrored.locked"]),
    ] as [(InjectedFault?, Set<String>)])
  func aPreviewThatIgnoresItsLockIsNoticed(fault: InjectedFault?, red: Set<String>) async throws {
    let context = ScenarioContext(source: SourceDescription(kind: "corpus", name: "turn"))
    #expect(try await RotationTurn(rig: Rig(fault: fault, viewfinder: "")).run(context).red() == red)
  }
}
