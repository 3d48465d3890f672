import Harness
import Video4Linux

/// HAR-6: the identity of the camera, and whether it can be found again.
struct IdentityRule: QualificationRule {
  let id = "qualify.identity"
  let suite = Suite.identity
  let title = "Identity of the camera"
  let purpose =
    "A report is about one camera: it must differ from others of its model, and be found again when its device number changes."
  let exampleFailure =
    "A grabber that leaves its name and bus empty: two of them cannot be told apart in a log."
  let requirements: [RequirementID] = ["HAR-6", "INT-3"]
  let camera: QualifiedCamera

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let flaws = Self.flaws(driver: "uvcvideo", card: "", bus: "")
    guard flaws.count == 2, Self.flaws(driver: "a", card: "b", bus: "c").isEmpty else {
      return .failed("an empty name was not noticed")
    }
    return .passed("an empty name and an empty bus were noticed, a complete answer was accepted")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let device = try camera.open()
    defer { device.close() }
    let found = device.capabilities
    let entry = DeviceDirectory(kernel: camera.kernel).entry(at: camera.path)
    let attributes = USBAttributes(path: camera.path, kernel: camera.kernel)
    let names = entry?.stableNames ?? []
    return Observation(
      checks: [
        RuleCheck(id: "qualify.identity.names", title: "The camera states driver, name and bus").check(
          flaws: Self.flaws(driver: found.driver, card: found.card, bus: found.bus), of: 3,
          otherwise: "\(found.card), \(found.driver) \(found.version), \(found.bus)"),
        RuleCheck(id: "qualify.identity.stable", title: "It has a stable name", requirement: "INT-3")
          .check(
            flaws: names.isEmpty ? ["no stable name is known; only its number tells it from others"] : [],
            of: 1, otherwise: names.map(\.description).joined(separator: ", ")),
      ],
      evidence: [.text("What the camera says of itself", table(found, names, usb: attributes))],
      notes: faultNotes
        + (attributes.isEmpty ? ["It is not on USB, so it has no vendor, serial or firmware number."] : []))
  }

  private static func flaws(driver: String, card: String, bus: String) -> [String] {
    [("driver", driver), ("name", card), ("bus", bus)].filter { $0.1.isEmpty }.map { "its \($0.0) is empty" }
  }

  private func table(_ found: DeviceCapabilities, _ names: [StableName], usb: USBAttributes) -> String {
    let rows =
      [
        ("node", camera.path), ("driver", "\(found.driver) \(found.version)"), ("name", found.card),
        ("bus", found.bus), ("buffers", found.bufferType?.rawValue ?? "none"),
      ] + names.map { ("stable name", $0.description) } + usb.rows
    return rows.map { "\($0.0): \($0.1)" }.joined(separator: "\n")
  }
}

/// The sysfs attributes of the USB device behind a node. Empty for other buses.
struct USBAttributes {
  private(set) var rows: [(String, String)] = []
  var isEmpty: Bool { rows.isEmpty }

  /// Attributes of the device (USB 2.0, table 9-8) and of its video interface.
  private static let attributes = [
    ("vendor", "idVendor"), ("product", "idProduct"), ("firmware (bcdDevice)", "bcdDevice"),
    ("serial", "serial"), ("maker", "manufacturer"), ("product name", "product"), ("USB version", "version"),
    ("speed, Mbit/s", "speed"),
  ]

  init(path: String, kernel: any Kernel) {
    guard let node = (try? kernel.resolve(path))?.split(separator: "/").last,
      var folder = try? kernel.resolve("/sys/class/video4linux/\(node)/device")
    else { return }
    // Starts at the folder of the interface, and goes up to that of the device.
    for _ in 0..<4 where folder.hasPrefix("/sys/devices/") {
      if text(of: "\(folder)/idVendor", kernel) != nil {
        rows = Self.attributes.compactMap { name, file in
          text(of: "\(folder)/\(file)", kernel).map { (name, $0) }
        }
        return
      }
      guard let slash = folder.lastIndex(of: "/") else { return }
      folder = String(folder[..<slash])
    }
  }

  /// Returns the text, made printable and cut to 128 characters, because it comes from the device.
  private func text(of path: String, _ kernel: any Kernel) -> String? {
    guard let bytes = try? kernel.contents(of: path, limit: 256) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
    }
    let printable = String(String.UnicodeScalarView(text)).prefix(128)
    return printable.isEmpty ? nil : String(printable)
  }
}
