import Capture
import Glibc
import Harness
import Imagery
import Probes
import System
import Video4Linux

/// INT-1, INT-3: the camera is really unplugged and plugged in again, if a command can do that.
struct ReplugRule: QualificationRule {
  let id = "qualify.replug"
  let suite = Suite.recovery
  let title = "Unplugged and plugged in again"
  let purpose =
    "When the cable is pulled, the user must be told why the picture is gone, and get it back with the cable."
  let exampleFailure =
    "A camera without a serial number that comes back under another device number: nothing says that it is the same."
  let requirements: [RequirementID] = ["INT-1", "INT-3", "HAR-6"]
  let camera: QualifiedCamera
  let rounds: Int

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var marks = [StateMark(state: .running, time: MonotonicTime(nanoseconds: 0))]
    guard StateLog.interruption(in: marks, after: 0) == nil else {
      return .failed("an interruption was found in states that have none")
    }
    marks.append(StateMark(state: .interrupted(.deviceDisconnected), time: MonotonicTime(nanoseconds: 5)))
    guard StateLog.interruption(in: marks, after: 0)?.time.nanoseconds == 5 else {
      return .failed("an interruption was not found")
    }
    return .passed("an interruption was found in the states of a session, and none where there was none")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let plug = try CameraPlug(camera: camera)
    let trial = ReplugTrial(camera: camera, plug: plug)
    let found = try await trial.run(rounds: rounds)
    func measurement(_ id: String, _ title: String, samples: [Double]) -> Measurement {
      Measurement(
        id: "qualify.replug.\(id)", title: title, unit: .milliseconds, level: .buffer, samples: samples)
    }
    return Observation(
      metrics: found.resumed.isEmpty
        ? []
        : [
          measurement("detected", "Unplugged → interruption published", samples: found.detected),
          measurement("resumed", "Plugged in → first picture shown", samples: found.resumed),
        ],
      checks: [
        RuleCheck(
          id: "qualify.replug.told", title: "The interruption is reported, with its reason",
          requirement: "INT-1"
        )
        .check(flaws: found.untold, of: rounds, otherwise: "\(rounds) times deviceDisconnected"),
        RuleCheck(id: "qualify.replug.back", title: "Pictures come again by themselves", requirement: "INT-3")
          .check(
            flaws: found.resumed.count == rounds
              ? [] : ["\(found.resumed.count) of \(rounds) times"],
            of: rounds, otherwise: "\(rounds) times"),
      ], notes: ["By \(plug.description)."])
  }
}

/// A plug that is pulled by command: the plug of a camera in the lab, or the kernel's switch for a USB device.
struct CameraPlug: CustomStringConvertible {
  private enum Way {
    case lab(DeviceLab, String)
    /// The `authorized` file of the USB device in sysfs.
    case usb(String)
  }

  private let way: Way

  /// - Throws: `Unsupported` if neither is available.
  init(camera: QualifiedCamera) throws {
    let path = camera.path
    if let lab = try? DeviceLab() {
      way = .lab(lab, try lab.device(at: path).name)
    } else {
      way = .usb(try Self.switchFile(path, camera.kernel))
    }
  }

  private static func switchFile(_ path: String, _ kernel: any Kernel) throws -> String {
    guard let node = (try? kernel.resolve(path))?.split(separator: "/").last,
      var folder = try? kernel.resolve("/sys/class/video4linux/\(node)/device")
    else {
      throw Unsupported(
        "the camera is not in the lab, and /sys/class/video4linux does not say where it is plugged in; "
          + "test this by hand")
    }
    for _ in 0..<4 {
      if (try? kernel.contents(of: "\(folder)/idVendor", limit: 16)) != nil {
        guard access("\(folder)/authorized", W_OK) == 0 else {
          throw Unsupported(
            "the camera cannot be unplugged by command: only root may write \(folder)/authorized; run as root, or in the lab"
          )
        }
        return "\(folder)/authorized"
      }
      guard let slash = folder.lastIndex(of: "/") else { break }
      folder = String(folder[..<slash])
    }
    throw Unsupported(
      "the camera is not on USB and not in the lab, so no command can unplug it; test this by hand")
  }

  /// - Returns: the time when the command took effect.
  func pull() throws -> MonotonicTime {
    switch way {
    case .lab(let lab, let name): return try lab.command(name, "unplug")
    case .usb(let path): return try write("0", to: path)
    }
  }

  func push() throws -> MonotonicTime {
    switch way {
    case .lab(let lab, let name): return try lab.command(name, "replug")
    case .usb(let path): return try write("1", to: path)
    }
  }

  private func write(_ text: String, to path: String) throws -> MonotonicTime {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Unsupported(
        "\(path) cannot be opened: \(String(cString: strerror(errno))); run as root, or in the lab")
    }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw Unsupported(
        "\(path) does not take \(text): \(String(cString: strerror(errno))); "
          + "plug the camera out and in by hand")
    }
    return .now()
  }

  var description: String {
    switch way {
    case .lab(_, let name): "`lab-ctl \(name) unplug` and `replug`"
    case .usb(let path): "writing 0 and 1 to \(path)"
    }
  }
}
