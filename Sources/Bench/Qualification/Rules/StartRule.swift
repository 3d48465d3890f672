import Harness

/// COLD-1: the device's time to its first buffer, step by step, and the engine's time to its first picture.
struct StartRule: QualificationRule {
  let id = "qualify.start"
  let suite = Suite.coldStart
  let title = "Cold start by stages"
  let purpose =
    "No engine can show a picture before the camera delivers one: every user waits at least as long as the camera takes."
  let exampleFailure = "A webcam that adjusts its exposure for two seconds before it delivers a frame."
  let requirements: [RequirementID] = ["COLD-1", "HAR-6"]
  let camera: QualifiedCamera
  let survey: ModeSurvey
  let starts: RestedStarts

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var late = ModeProof.example()
    late.stages.firstBuffer = 2000
    let samples = try Self.stages(ModeSurvey.Survey(streamed: [.example(), late], onlySet: [])).first?.samples
    guard samples == [30, 2010] else { return .failed("a start of 2010 ms was read as \(samples ?? [])") }
    return .passed(
      "stages of 10 ms and a first buffer after 20 ms were 30 ms in all; one after 2 s was 2010 ms")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let survey = try await survey.survey(for: id)
    let found = try await starts.found(for: id)
    let sessions = found.sessions
    func measurement(_ id: String, _ title: String, samples: [Double]) -> Measurement {
      Measurement(
        id: "qualify.start.\(id)", title: title, unit: .milliseconds, level: .buffer, samples: samples)
    }
    return Observation(
      metrics: try Self.stages(survey) + [
        measurement(
          "device-first-frame", "The device's own first frame in its lightest mode", samples: found.device),
        measurement(
          "presented", "Session started → first picture shown, in the same mode",
          samples: sessions.map(\.presented)),
        measurement("prepared", "Session started → device prepared", samples: sessions.map(\.prepared)),
        measurement("arrival", "Session started → first frame arrived", samples: sessions.map(\.firstFrame)),
        measurement("render", "Session started → drawing begins", samples: sessions.map(\.render)),
      ], evidence: Self.timeline(survey),
      notes: faultNotes + [
        "Measured in \(camera.plan.light), the device alone and a session by turns, each after a rest of 250 ms. "
          + "The first of each warms this program up and is not counted."
      ])
  }

  /// Returns a sample for each mode that delivered a frame.
  static func stages(_ survey: ModeSurvey.Survey) throws -> [Measurement] {
    let stages = survey.streamed.map(\.stages).filter { $0.firstBuffer != nil }
    guard !stages.isEmpty else {
      throw Unsupported("no mode gave a frame, so no start can be timed; `qualify.formats` says why")
    }
    func measurement(
      _ id: String, _ title: String, value: (ModeProof.Stages) -> Double
    ) -> Measurement {
      Measurement(
        id: "qualify.start.\(id)", title: title, unit: .milliseconds, level: .buffer,
        samples: stages.map(value))
    }
    return [
      measurement("device", "The device from open to first buffer, a figure per mode") { $0.whole ?? .nan },
      measurement("open", "Open, and query the capabilities") { $0.open },
      measurement("format", "Format and interval set") { $0.format },
      measurement("buffers", "Buffers allocated and mapped") { $0.buffers },
      measurement("stream", "Stream on") { $0.stream },
      measurement("first-buffer", "Stream on → first buffer") { $0.firstBuffer ?? .nan },
    ]
  }

  private static func timeline(_ survey: ModeSurvey.Survey) -> [Evidence] {
    let lanes = survey.streamed.filter { $0.stages.firstBuffer != nil }.map { proof in
      var (spans, time): ([Timeline.Span], Double) = ([], 0)
      func add(_ label: String, _ length: Double) {
        spans.append(.init(label, from: time, to: time + length))
        time += length
      }
      add("open", proof.stages.open)
      add("format", proof.stages.format)
      add("buffers", proof.stages.buffers)
      add("stream on", proof.stages.stream)
      add("first buffer", proof.stages.firstBuffer ?? 0)
      return Timeline.Lane("\(proof.mode)", spans: spans)
    }
    return lanes.isEmpty
      ? [] : [.timeline("Each mode from nothing to its first buffer", Timeline(lanes: lanes))]
  }
}
