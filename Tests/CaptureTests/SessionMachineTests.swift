import Testing

@testable import Capture

@Suite struct SessionMachineTests {
  private static let lost = CameraError.disconnected("camera")

  /// Returns a new machine that has received `events`.
  private func machine(after events: [SessionEvent]) -> SessionMachine {
    var machine = SessionMachine()
    for event in events { _ = machine.apply(event) }
    return machine
  }

  private static let running: [SessionEvent] = [.start, .prepared, .started, .firstFrame]

  @Test func startsStageByStage() {
    var machine = SessionMachine()
    #expect(machine.apply(.start) == [.armSlowStart, .armInactivity, .prepare])
    #expect(machine.state == .starting)
    #expect(machine.apply(.prepared) == [.start])
    #expect(machine.apply(.started) == [])
    #expect(machine.apply(.firstFrame) == [.disarmSlowStart])
    #expect(machine.state == .running)
  }

  @Test func prewarmingLeavesOnlyTheStream() {
    var machine = machine(after: [.prewarm, .prepared])
    #expect(machine.state == .warm)
    #expect(machine.apply(.start).last == .start)
  }

  @Test func loadingShowsOnlyWhileWaiting() {
    #expect(machine(after: [.start, .startIsSlow]).state == .loading)
    #expect(machine(after: [.start, .startIsSlow, .prepared, .started, .firstFrame]).state == .running)
    #expect(machine(after: Self.running + [.startIsSlow]).state == .running)
  }

  @Test func aLostDeviceIsClosedAwaitedAndOpenedAgain() {
    var machine = machine(after: Self.running)
    #expect(
      machine.apply(.failed(Self.lost))
        == [.failPhotos(.captureInterrupted(.deviceDisconnected)), .disarmSlowStart, .stop])
    #expect(machine.state == .interrupted(.deviceDisconnected))
    #expect(machine.apply(.stopped) == [.close])
    #expect(machine.apply(.closed) == [.awaitReturn(.deviceDisconnected)])
    #expect(machine.apply(.returned) == [.prepare])
    #expect(machine.apply(.prepared) == [.start])
    _ = machine.apply(.started)
    #expect(machine.state == .interrupted(.deviceDisconnected), "until there is a picture")
    _ = machine.apply(.firstFrame)
    #expect(machine.state == .running)
  }

  @Test func aDeviceThatIsStillGoneIsAwaitedAgain() {
    var machine = machine(after: Self.running + [.failed(Self.lost), .stopped, .closed, .returned])
    #expect(machine.apply(.failed(Self.lost)).last == .awaitReturn(.deviceDisconnected))
    #expect(machine.state == .interrupted(.deviceDisconnected))
  }

  @Test func aSoftInterruptionKeepsTheStream() {
    var machine = machine(after: Self.running)
    #expect(
      machine.apply(.interrupted(.signalLost)) == [
        .failPhotos(.captureInterrupted(.signalLost)), .disarmSlowStart,
      ])
    #expect(machine.state == .interrupted(.signalLost))
    #expect(machine.apply(.interruptionEnded) == [])
    #expect(machine.state == .interrupted(.signalLost), "until there is a picture")
    _ = machine.apply(.firstFrame)
    #expect(machine.state == .running)
  }

  @Test func permissionIsNotAskedForTwice() {
    var machine = machine(after: [.start])
    _ = machine.apply(.failed(.permissionDenied("camera")))
    #expect(machine.state == .failed(.permissionDenied("camera")))
    #expect(machine.isSettled)
    #expect(machine.apply(.start).contains(.prepare), "but it is when the user asks")
  }

  @Test func aPauseForgetsThatTheDeviceWasGone() {
    var machine = machine(after: Self.running + [.failed(Self.lost), .stopped, .closed])
    #expect(machine.apply(.background).last == .abandonReturn)
    #expect(machine.apply(.returned) == [])
    #expect(machine.apply(.foreground) == [.armSlowStart, .armInactivity, .prepare])
  }

  @Test func aLossTakesThePlaceOfAnInterruption() {
    let machine = machine(after: Self.running + [.interrupted(.signalLost), .failed(Self.lost)])
    #expect(machine.state == .interrupted(.deviceDisconnected))
  }

  @Test func slownessIsForgottenWithItsStart() {
    let machine = machine(after: [.start, .startIsSlow, .background, .prepared, .closed, .foreground])
    #expect(machine.state == .starting)
  }

  /// If the process lacks a resource, the session fails in any stage, and starts only at the next call.
  @Test func aRefusalFailsUntilAskedAgain() {
    let refusal = CameraError.noResources("camera", reason: "no thread")
    for events in [[], [.prewarm], [.start], Self.running, Self.running + [.interrupted(.signalLost)]] {
      var machine = machine(after: events + [.refused(refusal)])
      #expect(machine.state == .failed(refusal))
      for event in [SessionEvent.prepared, .stopped, .closed] where !machine.isSettled {
        _ = machine.apply(event)
      }
      #expect(machine.isSettled && machine.stage == .closed)
      var stopped = machine
      _ = stopped.apply(.stop)
      #expect(stopped.state == .idle)
      #expect(machine.apply(.start).last == .prepare)
      #expect(machine.state == .starting)
    }
    var warm = machine(after: [.prewarm, .refused(refusal), .prepared, .closed])
    #expect(warm.apply(.prewarm) == [.prepare])
  }

  @Test func backgroundClosesAndForegroundResumes() {
    var machine = machine(after: Self.running)
    #expect(machine.apply(.background).last == .stop)
    #expect(machine.state == .paused(.background))
    #expect(machine.apply(.stopped) == [.close])
    #expect(machine.apply(.closed) == [])
    #expect(machine.apply(.foreground).last == .prepare)
    #expect(machine.state == .starting)
  }

  /// A session does not wait for a camera that is broken, but another camera may do: the request is not wrong.
  @Test func aBrokenCameraIsNotWaitedFor() {
    let broken = CameraError.broken("camera", reason: "its buffers are too small")
    #expect(broken.interruption == nil && broken.isUnavailability)
    var machine = machine(after: Self.running)
    _ = machine.apply(.failed(broken))
    #expect(machine.state == .failed(broken))
  }

  @Test func comingBackWhileStillStoppingIsNotLost() {
    var machine = machine(after: Self.running + [.background, .foreground])
    #expect(machine.apply(.stopped) == [.start])
  }

  @Test func inactivityPausesAndActivityResumes() {
    var machine = machine(after: Self.running)
    #expect(machine.apply(.inactive).last == .stop)
    #expect(machine.state == .paused(.inactivity))
    #expect(machine.apply(.foreground) == [], "only activity ends it")
    #expect(machine.apply(.stopped) == [.close])
    _ = machine.apply(.closed)
    #expect(machine.apply(.activity).last == .prepare)
  }

  @Test func aRenewalClosesTheDeviceAndOpensItOnce() {
    var machine = machine(after: Self.running)
    #expect(machine.apply(.renew) == [.failPhotos(.captureRefused(.starting)), .armSlowStart, .stop])
    #expect(machine.state == .starting)
    #expect(machine.apply(.failed(Self.lost)) == [], "the trouble of the former camera is not reported")
    #expect(machine.apply(.firstFrame) == [] && machine.apply(.ended) == [])
    #expect(machine.apply(.stopped) == [.close])
    #expect(machine.apply(.closed) == [.prepare])
    #expect(machine.apply(.prepared) == [.start])
    #expect(machine.apply(.started) == [] && machine.isSettled)
    _ = machine.apply(.firstFrame)
    #expect(machine.state == .running)
  }

  /// A change of the configuration fails while preparing or starting, for a temporary or a permanent reason.
  @Test func aRenewalThatFailsGoesBack() {
    for error in [Self.lost, .permissionDenied("camera")] {
      var machine = machine(after: Self.running + [.renew, .stopped, .closed])
      #expect(machine.apply(.failed(error)) == [.revert(error), .prepare])
      #expect(machine.state == .starting)
      #expect(machine.apply(.prepared) == [.start])
      _ = machine.apply(.started)
      #expect(machine.isSettled)

      machine = self.machine(after: Self.running + [.renew, .stopped, .closed, .prepared])
      #expect(machine.apply(.failed(error)) == [.revert(error), .close])
      #expect(machine.apply(.closed) == [.prepare])
      // If the former camera now fails too, the machine treats this like any other failure.
      #expect(machine.apply(.failed(Self.lost)).last == .awaitReturn(.deviceDisconnected))
      #expect(machine.state == .interrupted(.deviceDisconnected))
    }
  }

  @Test func aRenewalOfWhatIsClosedOpensNothing() {
    for events in [
      [], [.stop], [.start, .failed(.permissionDenied("camera"))],
      Self.running + [.background, .stopped, .closed],
    ]
      as [[SessionEvent]]
    {
      var machine = machine(after: events)
      let state = machine.state
      #expect(machine.apply(.renew) == [])
      #expect(machine.isSettled && machine.state == state)
    }
    var warm = machine(after: [.prewarm, .prepared])
    #expect(warm.apply(.renew) == [.close])
    #expect(warm.apply(.closed) == [.prepare])
    _ = warm.apply(.prepared)
    #expect(warm.state == .warm && warm.isSettled)
    #expect(warm.apply(.failed(Self.lost)).last == .close, "the new setup is no longer provisional")
  }

  @Test func aRenewalEndsTheWaitForALostDevice() {
    var machine = machine(after: Self.running + [.failed(Self.lost), .stopped, .closed])
    #expect(machine.apply(.renew).last == .abandonReturn)
    #expect(machine.apply(.returned) == [.prepare])
    #expect(machine.state == .starting)
  }

  @Test func stoppingWhileWaitingForADevice() {
    var machine = machine(after: Self.running + [.failed(Self.lost), .stopped, .closed])
    #expect(machine.apply(.stop).last == .abandonReturn)
    #expect(!machine.isSettled)
    _ = machine.apply(.returned)
    #expect(machine.isSettled)
    #expect(machine.state == .idle)
  }

  /// While a stream is being stopped, the end of its recording is ignored: the next start plays from the beginning.
  @Test func aStreamThatIsBeingStoppedDoesNotEnd() {
    for (turn, cause) in [(SessionEvent.background, PauseCause.background), (.inactive, .inactivity)] {
      var machine = machine(after: Self.running + [turn])
      #expect(machine.apply(.ended) == [])
      #expect(machine.state == .paused(cause))
    }
    var machine = machine(after: Self.running + [.background, .foreground])
    #expect(machine.apply(.ended) == [] && machine.state == .starting)
    #expect(machine.apply(.stopped) == [.start])
  }

  /// Events of a stream that is being stopped may arrive late, when the next start is already requested.
  @Test func aStreamThatIsBeingStoppedSaysNothingOfTheNext() {
    var machine = machine(after: Self.running + [.background, .foreground])
    #expect(machine.apply(.interrupted(.signalLost)) == [] && machine.state == .starting)
    #expect(machine.apply(.failed(Self.lost)) == [] && machine.state == .starting)
    #expect(machine.apply(.firstFrame) == [] && machine.state == .starting)
    #expect(machine.apply(.stopped) == [.start])
    for event in [SessionEvent.started, .firstFrame] { _ = machine.apply(event) }
    #expect(machine.state == .running)
  }

  @Test func aPauseDoesNotHearThatTheDeviceIsGone() {
    var machine = machine(after: [.start, .background, .failed(Self.lost)])
    #expect(machine.state == .paused(.background) && machine.isSettled)
    #expect(machine.apply(.foreground).last == .prepare)
    #expect(machine.state == .starting)
  }

  @Test func aStartThatFailsAfterTheStopConcernsNobody() {
    for error in [Self.lost, .permissionDenied("camera")] {
      var machine = machine(after: [.start, .stop, .failed(error)])
      #expect(machine.state == .idle && machine.isSettled)
      #expect(machine.apply(.start).last == .prepare)
      #expect(machine.state == .starting)
    }
  }

  /// After a failure that ended an interruption, the next start is an ordinary one.
  @Test func aFailureTakesThePlaceOfAnInterruption() {
    let gone = Self.running + [.failed(Self.lost), .stopped, .closed]
    let refusal = SessionEvent.refused(.noResources("camera", reason: "no thread"))
    for events in [
      gone + [.returned, .failed(.permissionDenied("camera"))], gone + [refusal, .returned],
      gone + [.returned, .prepared, refusal, .started, .stopped, .closed],
      Self.running + [refusal, .failed(Self.lost), .stopped, .closed],
      [.start, refusal, .failed(Self.lost)],
    ] {
      var machine = machine(after: events)
      guard case .failed = machine.state else {
        Issue.record("\(events): \(machine.state)")
        continue
      }
      #expect(machine.isSettled && machine.apply(.start).last == .prepare)
      #expect(machine.state == .starting, "after \(events)")
    }
  }

  @Test func anEndTakesThePlaceOfAnInterruption() {
    for events in [
      Self.running + [.failed(Self.lost), .stopped, .closed, .returned, .prepared, .started],
      Self.running + [.interrupted(.signalLost)],
      Self.running + [.interrupted(.signalLost), .interruptionEnded],
    ] {
      var machine = machine(after: events + [.ended])
      #expect(machine.state == .ended)
      for event in [SessionEvent.stopped, .closed] { _ = machine.apply(event) }
      #expect(machine.apply(.start).last == .prepare)
      #expect(machine.state == .starting, "after \(events)")
    }
  }

  /// Activity and inactivity change nothing in a failed or ended session. A later start begins as usual.
  @Test func aSessionThatIsOverIsNotInactive() {
    for events in [
      [.start, .failed(.permissionDenied("camera"))], Self.running + [.ended, .stopped, .closed],
    ] {
      var machine = machine(after: events)
      let over = machine.state
      for event in [SessionEvent.activity, .inactive, .activity] { #expect(machine.apply(event) == []) }
      #expect(machine.state == over)
      _ = machine.apply(.start)
      #expect(machine.state == .starting)
    }
  }

  /// Applies every event in every state that can be reached in a number of steps. No stage waits for an answer without a command,
  /// photos are accepted only while running, and no forbidden transition happens.
  @Test func everyEventInEveryReachableState() {
    let events: [SessionEvent] = [
      .prewarm, .start, .stop, .background, .foreground, .activity, .startIsSlow, .inactive, .firstFrame,
      .ended, .renew, .refused(.noResources("camera", reason: "no thread")),
      .failed(Self.lost), .failed(.permissionDenied("camera")), .interrupted(.deviceInUse),
      .interruptionEnded,
    ]
    var seen: Set<SessionMachine> = [SessionMachine()]
    var frontier = Array(seen)
    var turns: Set<String> = []
    for _ in 0..<24 where !frontier.isEmpty {
      var next: [SessionMachine] = []
      for machine in frontier {
        for event in events + Self.answers(to: machine.stage) {
          var after = machine
          let actions = after.apply(event)
          let device = actions.filter { [.prepare, .start, .stop, .close, .abandonReturn].contains($0) }
          #expect(device.count <= 1)
          #expect(after.state.acceptsPhotos == [.running, .paused(.inactivity)].contains(after.state))
          if !SessionHistory.isAllowed(machine.state, after.state) {
            turns.insert("\(event): \(machine.state) was followed by \(after.state)")
          }
          if after.isSettled == false {
            #expect(!Self.answers(to: after.stage).isEmpty, "\(after) waits for nothing")
          }
          if seen.insert(after).inserted { next.append(after) }
        }
      }
      frontier = next
    }
    #expect(turns.isEmpty, "\(turns.sorted().joined(separator: "\n"))")
    #expect(frontier.isEmpty && seen.count > 100, "\(seen.count)")
  }

  /// Returns the possible answers of the capture thread in a stage.
  private static func answers(to stage: SessionMachine.Stage) -> [SessionEvent] {
    switch stage {
    case .preparing: [.prepared]
    case .starting: [.started]
    case .stopping: [.stopped]
    case .closing: [.closed]
    case .awaiting, .abandoning: [.returned]
    case .closed, .prepared, .streaming: []
    }
  }
}
