import Foundation
import Imagery
import System
import Testing

@testable import Capture

/// A folder of IIO sensors as in sysfs.
final class SensorShelf {
  let root = NSTemporaryDirectory() + "swiftwing-iio-\(UUID().uuidString)"

  var places: MotionTracker.Places { MotionTracker.Places(devices: "\(root)/devices", nodes: "\(root)/dev") }

  /// Adds an accelerometer that counts in thousandths of g. `attributes` replaces or adds files.
  func add(_ id: String = "iio:device0", _ attributes: [String: String] = [:]) throws {
    let usual = [
      "name": "accel_3d", "in_accel_x_raw": "0", "in_accel_y_raw": "-1000", "in_accel_z_raw": "0",
      "in_accel_scale": "0.009806650",
    ]
    try FileManager.default.createDirectory(
      atPath: "\(root)/devices/\(id)", withIntermediateDirectories: true)
    for (name, text) in usual.merging(attributes, uniquingKeysWith: { $1 }) { try set(name, text, id) }
  }

  func set(_ name: String, _ text: String, _ id: String = "iio:device0") throws {
    // Writes in place, because a reader's open descriptor would not see a new file.
    try (text + "\n").write(toFile: "\(root)/devices/\(id)/\(name)", atomically: false, encoding: .utf8)
  }

  /// Sets the sensor's values to those of a device that is rotated clockwise by `degrees`.
  func turn(_ degrees: Double) throws {
    try set("in_accel_x_raw", "\(Int(1000 * sin(degrees * .pi / 180)))")
    try set("in_accel_y_raw", "\(Int(-1000 * cos(degrees * .pi / 180)))")
  }

  func remove(_ id: String = "iio:device0") throws {
    try FileManager.default.removeItem(atPath: "\(root)/devices/\(id)")
  }

  func find(_ name: String? = nil) -> IIOAccelerometer? {
    IIOAccelerometer.find(MotionRequest(name: name), devices: places.devices, nodes: places.nodes)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }
}

@Suite struct GravityTests {
  /// The signs follow lab/README.md and iio-sensor-proxy.
  @Test(arguments: [(0.0, -1.0, 0.0), (1, 0, 90), (0, 1, 180), (-1, 0, 270), (0.7071, -0.7071, 45)])
  func anglesAreClockwise(x: Double, y: Double, degrees: Double) throws {
    let attitude = try #require(Gravity(x: x * 9.81, y: y * 9.81, z: 0).attitude)
    #expect(abs(attitude - degrees) < 0.01)
  }

  @Test(arguments: [
    (0.0, 0.0, 9.81), (0.1, -1, 9.7), (0, -20, 0), (0, -2, 0), (.nan, -9.81, 0), (.infinity, 0, 0),
  ])
  func whatDoesNotSayIsNoAttitude(x: Double, y: Double, z: Double) {
    #expect(Gravity(x: x, y: y, z: z).attitude == nil)
  }

  @Test(arguments: [
    "", "1,0,0;0,1,0", "1,0,0;0,1,0;0,0,x", "1,0,0;0,1,0;0,0,1;0,0,1", "1,0;0,1;0,0", "nan,0,0;0,1,0;0,0,1",
    "1e9,0,0;0,1,0;0,0,1",
  ])
  func noMatrixIsMadeOf(text: String) { #expect(MountMatrix(text) == nil) }

  @Test func aMatrixTurnsAxes() throws {
    let matrix = try #require(MountMatrix("0, 1, 0; -1, 0, 0; 0, 0, 1"))
    #expect(matrix.applied(to: [1, 2, 3]) == Gravity(x: 2, y: -1, z: 3))
  }
}

@Suite struct IIOAccelerometerTests {
  @Test func readsWithScaleOffsetAndMatrix() throws {
    let shelf = SensorShelf()
    try shelf.add(
      attributes([
        "in_accel_x_raw": "490", "in_accel_offset": "10", "in_accel_scale": "0.02",
        "in_mount_matrix": "0, 1, 0; 1, 0, 0; 0, 0, 1",
      ]))
    let gravity = try #require(try shelf.find()?.read())
    #expect(abs(gravity.y - 10) < 1e-9)
    #expect(abs(gravity.x - (-19.8)) < 1e-9)
  }

  @Test func isFoundByNameLabelAndDevice() throws {
    let shelf = SensorShelf()
    try shelf.add("iio:device0", ["name": "als"])
    try shelf.add("iio:device3", ["name": "kxcjk1013", "label": "accel-base"])
    try shelf.add("iio:device4", ["name": "bmc150", "label": "accel-display"])
    try FileManager.default.removeItem(atPath: "\(shelf.root)/devices/iio:device0/in_accel_x_raw")
    #expect(shelf.find()?.name == "bmc150", "the one beside the display")
    #expect(shelf.find("kxcjk1013")?.name == "kxcjk1013")
    #expect(shelf.find("accel-base")?.name == "kxcjk1013")
    #expect(shelf.find("iio:device3")?.name == "kxcjk1013")
    #expect(shelf.find("als") == nil, "no accelerometer")
    #expect(shelf.find("../devices/iio:device3") == nil)
  }

  @Test(arguments: ["", "x", "1e300", "nan", "1 2", String(repeating: "9", count: 5000)])
  func nonsenseIsNoReading(text: String) throws {
    let shelf = SensorShelf()
    try shelf.add()
    let sensor = try #require(shelf.find())
    try shelf.set("in_accel_x_raw", text)
    #expect(throws: (any Error).self) { try sensor.read() }
  }

  @Test func aMatrixThatCannotBeReadIsNotGuessed() throws {
    let shelf = SensorShelf()
    try shelf.add(attributes(["mount_matrix": "1, 0, 0; 0, 1"]))
    #expect(shelf.find() == nil)
  }

  @Test func namesAreMadePrintable() throws {
    let shelf = SensorShelf()
    try shelf.add(attributes(["name": "a\u{1B}[31mb\u{7}"]))
    #expect(shelf.find()?.name == "a[31mb")
  }

  @Test(arguments: [("iio", nil), ("iio:accel_3d", "accel_3d")] as [(String, String?)])
  func requests(text: String, name: String?) { #expect(MotionRequest(text) == MotionRequest(name: name)) }

  @Test(arguments: ["", "iio:", "hid", "iio:" + String(repeating: "x", count: 65)])
  func otherRequestsAreNone(text: String) { #expect(MotionRequest(text) == nil) }

  private func attributes(_ changed: [String: String]) -> [String: String] { changed }
}

extension SensorShelf {
  func add(_ attributes: [String: String]) throws { try add("iio:device0", attributes) }
}

@Suite struct IIOScanTests {
  @Test(
    arguments: [
      ("le:s32/32>>0", [0x18, 0xFC, 0xFF, 0xFF], -1000.0), ("be:s12/16>>4", [0x80, 0x0F], -2048),
      ("le:u16/16>>0", [0xFF, 0xFF], 65535), ("le:s8/8>>0", [0x80], -128),
      ("be:s64/64>>0", [255, 255, 255, 255, 255, 255, 255, 254], -2),
      ("le:s10/16", [0x00, 0x02], -512),
    ] as [(String, [UInt8], Double)])
  func values(type: String, bytes: [UInt8], value: Double) throws {
    let element = try #require(IIOScan.Element(type))
    #expect(element.number(element.word(bytes[...])) == value)
  }

  @Test(arguments: [
    "", "le", "le:", "le:s32", "le:s33/32>>0", "le:s32/24>>0", "le:s16/16>>1", "le:s0/16>>0", "le:f32/32>>0",
    "le:s-1/16>>0", "le:s16/16>>0>>1", "le:s16/16X2>>0",
  ])
  func noElementIsMadeOf(type: String) { #expect(IIOScan.Element(type) == nil) }

  @Test func samplesAreAlignedAndDated() throws {
    let (half, whole) = (
      try #require(IIOScan.Element("le:s16/16>>0")), try #require(IIOScan.Element("le:s64/64>>0"))
    )
    let axes: [(IIOScan.Channel, IIOScan.Element)] = [(.axis(0), half), (.axis(1), half), (.axis(2), half)]
    let scan = try #require(IIOScan(axes + [(.timestamp, whole)]))
    #expect(scan.length == 16)
    let sample: [UInt8] = [1, 0, 2, 0, 3, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]
    let later: [UInt8] = [4, 0, 5, 0, 6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    let (first, second) = (
      IIOScan.Sample(raw: [1, 2, 3], nanoseconds: 9), IIOScan.Sample(raw: [4, 5, 6], nanoseconds: 256)
    )
    #expect(scan.samples(in: (sample + later)[...]) == [first, second])
    #expect(
      scan.samples(in: (sample + later.dropLast())[...]) == [first], "a truncated sample does not count")
    #expect(scan.samples(in: sample.dropLast()).isEmpty)
    let undated = try #require(IIOScan(axes + [(.other, whole)]))
    #expect(undated.samples(in: sample[...]) == [.init(raw: [1, 2, 3], nanoseconds: nil)])
    #expect(IIOScan(Array(axes.dropLast())) == nil, "an axis is missing")
    #expect(IIOScan(Array(repeating: (.other, whole), count: 40) + axes) == nil)
  }
}

/// A sensor that pushes its samples through a device node, which is a FIFO here.
@Suite struct IIOBufferTests {
  private let shelf = SensorShelf()

  /// Adds a sensor with three 32-bit axes and a timestamp, in the layout of hid-sensor-accel-3d.
  private func addSpeaker(clock: String?) throws {
    try shelf.add(clock.map { ["current_timestamp_clock": $0] } ?? [:])
    let folder = "\(shelf.root)/devices/iio:device0"
    for part in ["scan_elements", "buffer"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(part)", withIntermediateDirectories: true)
    }
    for (index, axis) in ["accel_x", "accel_y", "accel_z"].enumerated() {
      try describe("in_\(axis)", index, "le:s32/32>>0")
    }
    try describe("in_timestamp", 3, "le:s64/64>>0")
    for (name, text) in ["enable": "0", "length": "2"] { try shelf.set("buffer/\(name)", text) }
    try FileManager.default.createDirectory(atPath: "\(shelf.root)/dev", withIntermediateDirectories: true)
    try #require(mkfifo("\(shelf.root)/dev/iio:device0", 0o600) == 0)
  }

  private func describe(_ name: String, _ index: Int, _ type: String) throws {
    for (suffix, text) in ["en": "0", "index": "\(index)", "type": type] {
      try shelf.set("scan_elements/\(name)_\(suffix)", text)
    }
  }

  private func attribute(_ name: String) throws -> String {
    try String(contentsOfFile: "\(shelf.root)/devices/iio:device0/\(name)", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the sample at `nanoseconds` of a device that is rotated clockwise by `degrees`.
  private func sample(_ degrees: Double, _ nanoseconds: Int64) -> [UInt8] {
    let axes = [1000 * sin(degrees * .pi / 180), -1000 * cos(degrees * .pi / 180), 0].map {
      Int32($0.rounded())
    }
    return axes.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) } + [0, 0, 0, 0]
      + withUnsafeBytes(of: nanoseconds.littleEndian, Array.init)
  }

  private func write(_ bytes: [UInt8]) throws {
    let node = open("\(shelf.root)/dev/iio:device0", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(node >= 0)
    defer { close(node) }
    #expect(Glibc.write(node, bytes, bytes.count) == bytes.count)
  }

  @Test func samplesAreDatedByTheClockOfTheFrames() throws {
    try addSpeaker(clock: "realtime")
    var buffer = IIOBuffer(try #require(shelf.find()))
    #expect(try attribute("current_timestamp_clock") == "monotonic")
    #expect(try attribute("scan_elements/in_timestamp_en") == "1")
    try write(sample(0, 7) + sample(90, 8))
    #expect(
      try buffer?.next(wake: try WakeSignal()) == [
        .init(raw: [0, -1000, 0], nanoseconds: 7), .init(raw: [1000, 0, 0], nanoseconds: 8),
      ])
    buffer = nil
    #expect(try attribute("current_timestamp_clock").hasPrefix("realtime"), "it is left as it was")
    #expect(try attribute("scan_elements/in_timestamp_en") == "0")
  }

  /// If the driver does not allow choosing the clock, the sensor's times cannot be compared with those of frames.
  @Test func timesOfAnotherClockAreNotTaken() throws {
    try addSpeaker(clock: nil)
    let sensor = try #require(shelf.find())
    let buffer = try #require(IIOBuffer(sensor))
    try write(sample(180, 7))
    #expect(try buffer.next(wake: try WakeSignal()) == [.init(raw: [0, 1000, 0], nanoseconds: nil)])
  }

  /// A signal that the program handles, such as a profiler's, interrupts the wait. The sensor is still there.
  @Test func aSignalIsNoLostSensor() throws {
    try addSpeaker(clock: "realtime")
    let sensor = try #require(shelf.find())
    let buffer = try #require(IIOBuffer(sensor))
    signal(SIGUSR2) { _ in }
    // Threads of tasks block all signals.
    var (taken, before) = (sigset_t(), sigset_t())
    sigemptyset(&taken)
    sigaddset(&taken, SIGUSR2)
    pthread_sigmask(SIG_UNBLOCK, &taken, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let waiter = pthread_self()
    let sender = try NamedThread(name: "signals") {
      for _ in 0..<4 {
        usleep(20_000)
        pthread_kill(waiter, SIGUSR2)
      }
    }
    let wake = try WakeSignal()
    for _ in 0..<8 { #expect(try buffer.next(wake: wake) == nil) }
    sender.join()
    try write(sample(0, 7))
    #expect(try buffer.next(wake: wake)?.count == 1)
  }

  /// A rotation applies from the sensor's time, however late the sample is received. An impossible time is ignored.
  @Test(arguments: [(-30_000_000, 90), (-2_000_000_000, 0), (5_000_000_000, 0), (.min, 0)])
  func aTurnCountsFromItsSample(nanoseconds: Int64, angleBefore: Int) throws {
    try shelf.add()
    let (rotation, clock) = (RotationCoordinator(), VirtualClock())
    let heard = clock.now()
    rotation.noteAttitude(degrees: 0, at: heard + .milliseconds(-40))
    let follower = SensorFollower(
      request: MotionRequest(), places: shelf.places, rotation: rotation, clock: clock,
      wake: try WakeSignal(), onChange: { _ in })
    follower.note(
      [.init(raw: [1000, 0, 0], nanoseconds: heard.nanoseconds &+ nanoseconds)],
      of: try #require(shelf.find()))
    #expect(rotation.captureAngle == 90)
    let before = rotation.orientation(at: heard + .milliseconds(-1))
    #expect(before.capture.rotation.rawValue == angleBefore)
  }
}

/// Following a sensor that must be polled, in virtual time.
@Suite struct MotionTrackerTests {
  private let clock = VirtualClock()
  private let shelf = SensorShelf()

  @Test func turnsTheCoordinatorWithTheDevice() async throws {
    try shelf.add()
    let rotation = RotationCoordinator()
    let tracker = try MotionTracker(MotionRequest(), places: shelf.places, rotation: rotation, clock: clock) {
      _ in
    }
    for degrees in [0.0, 90, 180, 270] {
      try shelf.turn(degrees)
      await clock.run(for: .milliseconds(120))
      #expect(rotation.captureAngle == Int(degrees))
    }
    // A device flat on a table keeps its angle.
    for (name, text) in ["in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "1000"] {
      try shelf.set(name, text)
    }
    await clock.run(for: .milliseconds(120))
    #expect(rotation.captureAngle == 270)
    tracker.end()
  }

  @Test func aSensorThatGoesKeepsTheAngleAndIsFoundAgain() async throws {
    try shelf.add()
    try shelf.turn(90)
    let (rotation, states) = (RotationCoordinator(), Locked<[MotionTracker.State]>([]))
    let tracker = try MotionTracker(MotionRequest(), places: shelf.places, rotation: rotation, clock: clock) {
      state in
      states.withLock { $0.append(state) }
    }
    await clock.run(for: .milliseconds(120))
    try shelf.remove()
    await clock.run(for: .seconds(1))
    #expect(rotation.captureAngle == 90)
    #expect(states.withLock { $0 } == [.following("accel_3d"), .lost("it was unplugged")])
    try shelf.add("iio:device7")
    try shelf.set("in_accel_y_raw", "1000", "iio:device7")
    await clock.run(for: .seconds(1))
    #expect(rotation.captureAngle == 180)
    #expect(states.withLock { $0.last } == .following("accel_3d"))
    tracker.end()
  }

  /// A single invalid reading does not count as the loss of the sensor.
  @Test func aBadReadingIsPassedOver() async throws {
    try shelf.add()
    let states = Locked<[MotionTracker.State]>([])
    let tracker = try MotionTracker(
      MotionRequest(), places: shelf.places, rotation: RotationCoordinator(), clock: clock
    ) { state in states.withLock { $0.append(state) } }
    await clock.run(for: .milliseconds(20))
    for text in ["x", "x", "0", "x", "x", "0", "x", "0"] {
      try shelf.set("in_accel_x_raw", text)
      await clock.run(for: .milliseconds(50))
    }
    #expect(states.withLock { $0 } == [.following("accel_3d")])
    tracker.end()
  }

  @Test func withoutASensorThereIsOneClearError() throws {
    let error = #expect(throws: CameraError.self) {
      try MotionTracker(
        MotionRequest(name: "x"), places: shelf.places, rotation: RotationCoordinator(), clock: clock
      ) { _ in }
    }
    #expect(error?.description.contains("iio:x") == true)
  }
}
