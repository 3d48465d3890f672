import Video4Linux

/// A user's choice of an accelerometer.
public struct MotionRequest: Hashable, Sendable {
  /// The sensor's IIO name, label or device (`iio:device0`); nil takes the sensor beside the display, or the first
  /// sensor that answers.
  public var name: String?

  /// - Parameter name: nil takes the sensor beside the display, or the first sensor that answers.
  public init(name: String? = nil) { self.name = name }

  /// Parses `iio` or `iio:NAME`.
  /// - Returns: nil for any other text.
  public init?(_ text: String) {
    guard text != "iio" else {
      self.init()
      return
    }
    guard text.hasPrefix("iio:"), case let name = String(text.dropFirst(4)), !name.isEmpty,
      name.utf8.count <= 64
    else { return nil }
    self.init(name: name)
  }
}

/// An accelerometer of the kernel's industrial I/O subsystem (Linux documentation, ABI/testing/sysfs-bus-iio).
struct IIOAccelerometer: Hashable, Sendable {
  static let axes = ["x", "y", "z"]
  /// The sysfs folder of IIO sensors.
  static let devices = "/sys/bus/iio/devices"
  /// The folder of the sensors' device nodes.
  static let nodes = "/dev"

  let folder: SensorFolder
  let node: String
  /// The name from the driver, made printable.
  let name: String
  private let scale: [Double]
  private let offset: [Double]
  private let matrix: MountMatrix

  /// - Parameters:
  ///   - devices: the folder of sensors.
  ///   - nodes: the folder of their device nodes.
  /// - Returns: nil if no sensor fits the request.
  static func find(
    _ request: MotionRequest, devices: String = IIOAccelerometer.devices,
    nodes: String = IIOAccelerometer.nodes
  ) -> IIOAccelerometer? {
    let candidates = SensorFolder(path: devices).names.filter { isDevice($0) }.sorted().prefix(64).filter {
      id in
      let folder = SensorFolder(path: "\(devices)/\(id)")
      return axes.allSatisfy { (try? folder.text("in_accel_\($0)_raw")) != nil }
        && fits(request, id, folder: folder)
    }
    // A convertible also has an accelerometer in its base, which does not turn with the display.
    let ranked = candidates.sorted { rank($0, in: devices) < rank($1, in: devices) }
    for id in ranked {
      if let found = IIOAccelerometer(SensorFolder(path: "\(devices)/\(id)"), node: "\(nodes)/\(id)") {
        return found
      }
    }
    return nil
  }

  private static func isDevice(_ id: String) -> Bool {
    id.hasPrefix("iio:device") && (11...15).contains(id.utf8.count)
      && id.utf8.dropFirst(10).allSatisfy { (48...57).contains($0) }
  }

  private static func fits(_ request: MotionRequest, _ id: String, folder: SensorFolder) -> Bool {
    guard let wanted = request.name else { return true }
    return id == wanted || (try? folder.text("name")) == wanted || (try? folder.text("label")) == wanted
  }

  private static func rank(_ id: String, in devices: String) -> Int {
    switch try? SensorFolder(path: "\(devices)/\(id)").text("label") {
    case "accel-display": 0
    case "accel-base": 2
    default: 1
    }
  }

  private init?(_ folder: SensorFolder, node: String) {
    self.folder = folder
    self.node = node
    name = String(
      (try? folder.text("name"))?.unicodeScalars.filter { (33...126).contains($0.value) }.map(Character.init)
        ?? [])
    scale = IIOAccelerometer.axes.map { folder.factor("scale", axis: $0) ?? 1 }
    offset = IIOAccelerometer.axes.map { folder.factor("offset", axis: $0) ?? 0 }
    let texts = ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"].compactMap {
      try? folder.text($0)
    }
    guard let text = texts.first else {
      matrix = .identity
      return
    }
    // Refuse a sensor with an invalid matrix: the angle of every picture would be wrong.
    guard let given = MountMatrix(text) else { return nil }
    matrix = given
  }

  /// The acceleration of three raw values (`(raw + offset) × scale`, m/s²), in the axes of the device.
  func gravity(_ raw: [Double]) -> Gravity {
    matrix.applied(to: raw.indices.map { (raw[$0] + offset[$0]) * scale[$0] })
  }

  /// Reads the sensor. Blocks until the sensor has delivered the three values.
  func read() throws(Errno) -> Gravity {
    var raw: [Double] = []
    for axis in IIOAccelerometer.axes { raw.append(try folder.number("in_accel_\(axis)_raw")) }
    return gravity(raw)
  }
}

extension SensorFolder {
  /// An attribute of one axis, or else the one common to all axes.
  fileprivate func factor(_ name: String, axis: String) -> Double? {
    (try? number("in_accel_\(axis)_\(name)")) ?? (try? number("in_accel_\(name)"))
  }
}
