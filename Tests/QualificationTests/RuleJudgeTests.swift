import Imagery
import Testing
import Video4Linux

@testable import Harness
@testable import Probes
@testable import Qualification

/// The verdicts of the rules on invented observations of a camera: a correct camera passes, and each mistake breaks its own rule.
@Suite struct RuleJudgeTests {
  private func survey(_ change: (inout ModeProof) -> Void) -> ModeSurvey.Survey {
    var proof = ModeProof.example()
    change(&proof)
    return ModeSurvey.Survey(streamed: [proof, .example()], onlySet: [])
  }

  private func red(_ observation: Observation) throws -> [String] {
    let judge = MetricJudge(profile: try Profile.load("seed"), metrics: observation.metrics)
    return observation.checks.filter { !$0.passed }.map(\.id)
      + observation.metrics.map(judge.report).filter { $0.verdict == .fail }.map(\.id)
  }

  // MARK: Formats

  private func formats(_ change: (inout ModeProof) -> Void) throws -> [String] {
    try red(FormatsRule.judge(survey(change)))
  }

  @Test func aModeThatKeepsItsClaimPasses() throws {
    #expect(try formats { _ in } == [])
  }

  @Test func eachBrokenClaimFailsItsFormat() throws {
    let broken: [(inout ModeProof) -> Void] = [
      { $0.refusal = "it was refused" }, { $0.given = nil }, { $0.given?.size.width = 160 },
      { $0.givenInterval = TimePerFrame(framesPerSecond: 25) }, { $0.givenInterval = nil },
      { $0.bufferCount = 2 }, { $0.frames = [] }, { $0.frames.removeLast(18) },
      { $0.frames[9].damage = "it is empty" }, { $0.pictureFlaw = "it cannot be read" },
    ]
    for change in broken { #expect(try formats(change) == ["qualify.formats.YUYV"]) }
    // The first frames are not judged, because sensors need time to settle.
    #expect(try formats { $0.frames[1].damage = "it is empty" } == [])
  }

  @Test func formatsThatAreOnlySetAreJudgedToo() throws {
    let mode = CameraMode(fourCC: .mjpeg, size: FrameSize(width: 320, height: 180))
    func failed(_ flaw: String?) throws -> [String] {
      try red(
        FormatsRule.judge(
          ModeSurvey.Survey(
            streamed: [.example()], onlySet: [ModeSurvey.SetProof(mode: mode, flaw: flaw)])))
    }
    #expect(try failed(nil) == [] && failed("it was refused") == ["qualify.formats.others"])
  }

  // MARK: Pace

  private func pace(_ change: (inout ModeProof) -> Void) throws -> [String] {
    try red(PaceRule.judge(survey(change)))
  }

  @Test func aStreamThatKeepsItsIntervalPasses() throws {
    #expect(try pace { _ in } == [])
    // A single late frame does not change the measured pace.
    #expect(try pace { $0.frames[9].arrival += 30_000_000 } == [])
  }

  @Test func anotherPaceAndAnUnsteadyOneAreNoticed() throws {
    #expect(
      try pace { for index in $0.frames.indices { $0.frames[index].arrival += Int64(index) * 2_000_000 } }
        == ["qualify.pace.error"])
    #expect(
      try pace {
        for index in stride(from: 0, to: 20, by: 2) { $0.frames[index].arrival += 14_000_000 }
      } == ["qualify.pace.jitter"])
    #expect(throws: Unsupported.self) {
      try PaceRule.judge(ModeSurvey.Survey(streamed: [], onlySet: []))
    }
  }

  // MARK: Stamps

  private func stamps(_ change: (inout ModeProof) -> Void) throws -> [String] {
    try red(StampsRule.judge(survey(change)))
  }

  @Test func stampsThatCanBeReliedOnPass() throws {
    #expect(try stamps { _ in } == [])
  }

  @Test func eachBadStampOrNumberBreaksItsOwnRule() throws {
    #expect(try stamps { $0.frames[9].stamp = nil } == ["qualify.stamps.clock"])
    #expect(try stamps { $0.frames[9].clock = .unknown } == ["qualify.stamps.clock"])
    #expect(
      try stamps { for index in $0.frames.indices { $0.frames[index].stamp? += 30_000_000 } }
        == ["qualify.stamps.future"])
    #expect(try stamps { $0.frames[9].stamp = $0.frames[8].stamp } == ["qualify.stamps.order"])
    // A sequence number is repeated, or the numbers start again.
    #expect(
      try stamps { for index in 9..<20 { $0.frames[index].sequence -= 1 } } == ["qualify.stamps.sequence"])
    #expect(
      try stamps { for index in 9..<20 { $0.frames[index].sequence = UInt32(index - 9) } }
        == ["qualify.stamps.sequence"])
    #expect(
      try stamps { for index in 10..<20 { $0.frames[index].sequence += 3 } } == ["qualify.stamps.lost"])
    #expect(
      try stamps {
        for index in stride(from: 0, to: 20, by: 2) { $0.frames[index].stamp? -= 15_000_000 }
      } == ["qualify.stamps.spread"])
    #expect(throws: Unsupported.self) {
      try StampsRule.judge(ModeSurvey.Survey(streamed: [], onlySet: []))
    }
  }

  // MARK: Starts

  @Test func aStartIsTheSumOfItsStages() throws {
    let slow = survey { $0.stages.firstBuffer = 1500 }
    let stages = try StartRule.stages(slow)
    #expect(stages.first { $0.id == "qualify.start.device" }?.samples == [1510, 30])
    #expect(try red(Observation(metrics: stages)) == ["qualify.start.device"])
    #expect(try red(Observation(metrics: StartRule.stages(survey { _ in }))) == [])
    #expect(throws: Unsupported.self) {
      var none = ModeProof.example()
      none.stages.firstBuffer = nil
      _ = try StartRule.stages(ModeSurvey.Survey(streamed: [none], onlySet: []))
    }
  }

  // MARK: Orientation

  private func agreement(_ turned: Orientation, of third: Bool = true) -> [Bool] {
    let proofs = [(160, Orientation.upright), (320, .upright), (640, turned)].prefix(third ? 3 : 1).map {
      var proof = ModeProof.example()
      let size = FrameSize(width: $0.0, height: $0.0 / 2)
      proof = ModeProof(mode: CameraMode(fourCC: .yuyv, size: size, interval: proof.mode.interval))
      (proof.given, proof.givenInterval) = (VideoFormat(fourCC: .yuyv, size: size), proof.mode.interval)
      (proof.bufferCount, proof.frames) = (8, ModeProof.example().frames)
      proof.map = UprightRule.example.turned($0.1)
      return proof
    }
    return UprightRule.agreement(ModeSurvey.Survey(streamed: proofs, onlySet: [])).map(\.passed)
  }

  @Test func aModeTurnedAgainstTheOthersFails() {
    #expect(agreement(.upright) == [true])
    for turned in Orientation.allCases.dropFirst() { #expect(agreement(turned) == [false], "\(turned)") }
    // A single picture cannot be compared with others.
    #expect(agreement(.upright, of: false) == [])
  }

  @Test func aPreviewThatIsNotTurnedAsAskedFails() {
    func passes(_ turns: [(asked: Orientation, seen: Orientation)]) -> [Bool] {
      let shown = turns.map {
        TurnTrial.Shown(asked: $0.asked, output: "preview", seen: $0.seen, likeness: 1)
      }
      return TurnTrial.checks(shown, UprightRule.example).map(\.passed)
    }
    let right = Orientation.allCases.map { (asked: $0, seen: $0) }
    #expect(passes(right) == [true])
    #expect(passes(right.dropLast() + [(asked: Orientation(rotation: .half), seen: .upright)]) == [false])
    #expect(passes([]) == [false])
  }

  // MARK: Settings left behind, and v4l2-compliance

  @Test func everySettingThatDiffersIsTold() throws {
    let device = try VideoDevice(path: "/dev/video0", kernel: PaintedCamera.kernel())
    defer { device.close() }
    let before = try CameraState(of: device)
    func differences(_ change: (inout CameraState) -> Void) -> Int {
      var after = before
      change(&after)
      return before.differences(from: after).count
    }
    #expect(differences { _ in } == 0 && before.controls.count == 3)
    #expect(differences { $0.format.size.width += 16 } == 1)
    #expect(differences { $0.interval = nil } == 1)
    #expect(differences { $0.controls[0].value = .integer(1) } == 1)
    #expect(differences { $0.controls.removeLast() } == 1)
    #expect(
      differences {
        $0.format.fourCC = .mjpeg
        $0.controls[1].value = .integer(1)
      } == 2)
  }

  @Test func findingsOfTheOtherToolAreCountedAndKnownOnesApart() throws {
    func counts(_ version: String, status: Int32 = 1) throws -> [String: [Double]] {
      let output = ComplianceOutput(
        """
        v4l2-compliance \(version), 64 bits, 64-bit time_t
        \t\tfail: v4l2-test-formats.cpp(263): fmtdesc.description mismatch: was 'Y/UV 4:2:0', expected 'Y/CbCr 4:2:0'
        \ttest VIDIOC_ENUM_FMT/FRAMESIZES/FRAMEINTERVALS: FAIL
        \t\tfail: v4l2-test-buffers.cpp(700): something else
        \ttest VIDIOC_EXPBUF: FAIL
        \ttest VIDIOC_G/S_PARM: OK
        """)
      let metrics = try ComplianceRule.judge(output, driver: "vivid", status: status).metrics
      return Dictionary(
        uniqueKeysWithValues: metrics.map {
          (String($0.id.dropFirst("qualify.compliance.".count)), $0.samples)
        })
    }
    #expect(try counts("1.22.1") == ["failed": [1], "known": [1], "warnings": [0], "tests": [3]])
    // A newer tool does not have this error.
    #expect(try counts("1.28.0") == ["failed": [2], "known": [0], "warnings": [0], "tests": [3]])
    // The tool was ended, or crashed, in a further test. It ends with 255 by itself.
    for status: Int32 in [124, 137, 139] { #expect(try counts("1.28.0", status: status)["failed"] == [3]) }
    #expect(try counts("1.28.0", status: 255)["failed"] == [2])
  }

  // MARK: Parts shared by rules

  @Test func flawsAreListedAndCounted() {
    let check = RuleCheck(id: "x", title: "x")
    let bad = check.check(flaws: ["a", "b", "c", "d", "e", "f"], of: 9, otherwise: "fine")
    #expect(!bad.passed && bad.detail == "a; b; c; d; and 2 more" && bad.subjects == 9)
    #expect(check.check(flaws: [], of: 9, otherwise: "fine").detail == "fine")
    #expect(!check.check(flaws: [], of: 0, otherwise: "fine").passed)
  }

  @Test func aControlMustShowInThePicture() {
    let map = UprightRule.example
    func facts(_ change: (Double) -> Double = { $0 }, turned: Orientation = .upright, colour: Double? = 10)
      -> PictureFacts
    {
      PictureFacts(map: PictureMap(cells: map.turned(turned).cells.map(change)), colourfulness: colour)
    }
    func isSeen(_ sight: ControlSight, _ high: PictureFacts) -> Bool? {
      switch sight.judge(facts(), high) {
      case .seen: true
      case .notSeen: false
      case .unknown: nil
      }
    }
    let mirrored = Orientation(rotation: .none, isMirrored: true)
    #expect(isSeen(.brighter, facts { $0 + 6.5 }) == true && isSeen(.brighter, facts { $0 + 5.5 }) == false)
    #expect(isSeen(.brighter, facts { $0 - 40 }) == false)
    #expect(isSeen(.contrastier, facts { $0 * 2 }) == true && isSeen(.contrastier, facts { $0 + 9 }) == false)
    #expect(isSeen(.colourful, facts(colour: 11)) == true && isSeen(.colourful, facts()) == false)
    #expect(isSeen(.mirrored, facts(turned: mirrored)) == true && isSeen(.mirrored, facts()) == false)
    #expect(isSeen(.different, facts()) == false)
    #expect(isSeen(.different, facts(turned: Orientation(rotation: .half))) == true)
    #expect(isSeen(.colourful, facts(colour: nil)) == nil)
  }
}
