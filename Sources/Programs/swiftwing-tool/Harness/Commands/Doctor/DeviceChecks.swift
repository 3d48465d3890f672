import Foundation
import Glibc

/// Checks cameras and motion sensors, and what the kernel reports about them.
struct DeviceChecks {
  let surroundings: Surroundings
  /// The commands that use a camera if one is named.
  private static let users = ["view", "bench", "qualify", "scan"]

  var findings: [Diagnosis] { cameras + motion + [threads] }

  private var cameras: [Diagnosis] {
    do {
      let cameras = try surroundings.cameras()
      return cameras.isEmpty ? [noCamera] : cameras.map(finding)
    } catch {
      return [.missing("cameras", "\(error)", remedy: "see that /dev can be read", for: Self.users)]
    }
  }

  private func finding(_ camera: Surroundings.Camera) -> Diagnosis {
    let subject = "camera \(camera.path)"
    switch camera.refusal {
    case nil: return .ok(subject, camera.name, for: Self.users)
    case .forbidden:
      return .missing(
        subject, "\(camera.name) may not be opened",
        remedy: "add yourself to the group that owns it (`sudo usermod -aG video $USER`) and log in again",
        for: Self.users)
    case .other(let reason):
      // The engine's reason may be a whole sentence with a full stop.
      let said = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
      return .limited(
        subject, "\(camera.name): \(said)", remedy: "`swiftwing devices` shows when it can be used",
        for: Self.users
      )
    }
  }

  /// The diagnosis if no camera can be used: there is no camera, or there is a USB camera without a driver.
  private var noCamera: Diagnosis {
    var finding: Diagnosis
    if hasIdleUSBCamera {
      finding = .missing(
        "cameras", "a USB camera is plugged in, and no driver has taken it",
        remedy: "load the driver: `sudo modprobe uvcvideo`", for: ["qualify"])
    } else if !exists("/sys/module/videodev") {
      finding = .missing(
        "cameras", "there is none, and no camera driver is loaded",
        remedy:
          "plug one in; if it does not appear, `sudo modprobe uvcvideo`. `view`, `bench` and `scan` also take recordings",
        for: ["qualify"])
    } else {
      finding = .missing(
        "cameras", "there is none", remedy: "plug one in; `view`, `bench` and `scan` also take recordings",
        for: ["qualify"])
    }
    finding.isAboutCameras = true
    return finding
  }

  /// Whether there is a USB interface of the video class (0x0e, USB-IF Defined Class Codes) without a driver.
  private var hasIdleUSBCamera: Bool {
    let devices = "/sys/bus/usb/devices"
    return names(devices).contains { name in
      text("\(devices)/\(name)/bInterfaceClass") == "0e" && !exists("\(devices)/\(name)/driver")
    }
  }

  private var motion: [Diagnosis] {
    let devices = "/sys/bus/iio/devices"
    let sensors = names(devices).filter { exists("\(devices)/\($0)/in_accel_x_raw") }
    guard !sensors.isEmpty else {
      return [
        .limited(
          "motion sensor", "there is no accelerometer",
          remedy: "without one, pictures keep their angle and --motion cannot be used",
          for: ["view"])
      ]
    }
    return sensors.map { name in
      let subject = "motion sensor \(name)"
      // A sensor is read one sample at a time if it has no buffer, or if its buffer may not be set up.
      let enable = "\(devices)/\(name)/buffer/enable"
      guard exists(enable), !isOpen(enable, W_OK) || !isOpen("/dev/\(name)", R_OK) else {
        return .ok(subject, text("\(devices)/\(name)/name") ?? "without a name", for: ["view"])
      }
      return .limited(
        subject, "it can only be read one sample at a time, because its buffer may not be opened",
        remedy:
          "install SwiftWing's udev rule with its package or `make install`, and add yourself to the group "
          + "video (`sudo usermod -aG video $USER`)",
        for: ["view"])
    }
  }

  private var threads: Diagnosis {
    let commands = ["view", "bench", "qualify", "scan"]
    return surroundings.hasRealTime
      ? .ok("real-time threads", "allowed", for: commands)
      : .limited(
        "real-time threads", "not allowed, so that frames come later on a busy machine",
        remedy: "write `@video - rtprio 10` into /etc/security/limits.d/swiftwing.conf and log in again",
        for: commands)
  }

  private func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: surroundings.root + folder)) ?? []).sorted()
  }

  private func exists(_ path: String) -> Bool { isOpen(path, F_OK) }
  private func isOpen(_ path: String, _ mode: Int32) -> Bool { access(surroundings.root + path, mode) == 0 }

  /// Returns the first line of a file below `root`, such as one in `/sys`.
  private func text(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: surroundings.root + path) else { return nil }
    defer { try? file.close() }
    let bytes = (try? file.read(upToCount: 256)) ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
  }
}
