import Glibc
import System
import Video4Linux

/// A sensor that is configured to deliver samples by itself. The former configuration is restored when the `IIOBuffer` is deinitialized.
final class IIOBuffer {
  private let folder: SensorFolder
  private let scan: IIOScan
  private let descriptor: Int32
  /// The changed attributes with their former values, in order.
  private var changes: [(folder: SensorFolder, name: String, before: String)] = []
  private var bytes: [UInt8]
  /// Whether the sensor stamps its samples with the clock of the frames (CLOCK_MONOTONIC).
  private var isDated = false
  /// The wanted rate of samples, in hertz: with a sample every 20 ms, a turn is noticed within a frame.
  private static let frequency = 50.0
  /// The time without a sample, in nanoseconds, after which the sensor's presence is checked.
  private static let silence: Int64 = 250_000_000

  /// - Returns: nil if the sensor has no buffer, this user may not set it up, or another program uses it: the sensor can
  ///   still be polled.
  init?(_ sensor: IIOAccelerometer) {
    folder = sensor.folder
    let elements = folder.folder("scan_elements")
    guard (try? folder.text("buffer/enable")) == "0", IIOBuffer.hasTrigger(folder),
      let changes = IIOBuffer.enable(elements)
    else { return nil }
    guard let scan = IIOBuffer.layout(of: elements) else {
      for change in changes { change.folder.write(change.before, to: change.name) }
      return nil
    }
    let descriptor = open(sensor.node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    self.descriptor = descriptor
    self.scan = scan
    self.changes = changes
    bytes = Array(repeating: 0, count: scan.length * 64)
    quicken()
    // Set the kernel clock for timestamps: `monotonic` is CLOCK_MONOTONIC (Linux, ABI/testing/sysfs-bus-iio).
    isDated = set("monotonic", "current_timestamp_clock", in: folder)
    set("16", "length", in: folder.folder("buffer"))
    guard descriptor >= 0, set("1", "enable", in: folder.folder("buffer")) else { return nil }
  }

  deinit {
    for change in changes.reversed() { change.folder.write(change.before, to: change.name) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits for samples and takes all that have arrived.
  /// - Returns: the samples, oldest first, with their time on CLOCK_MONOTONIC if the sensor reports it; nil if woken or interrupted
  ///   first, or if none came for a quarter of a second.
  /// - Throws: an error if the sensor is gone.
  func next(wake: WakeSignal) throws(Errno) -> [IIOScan.Sample]? {
    let ready: PollResult
    do throws(Errno) {
      ready = try LinuxKernel().poll(
        descriptor, events: Int16(POLLIN), wake: wake, timeout: IIOBuffer.silence)
    } catch {
      // A signal to this thread says nothing about the sensor.
      if error == .interrupted { return nil }
      throw error
    }
    if ready.wake != 0 { return nil }
    // Read after a silence too: the kernel reports a missing sensor to a read, not to a poll.
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 { return samples(bytes[..<count]) }
    if count < 0, errno != EAGAIN, errno != EINTR { throw Errno(rawValue: errno) }
    // `poll` reported it ready, but there is no data: it hung up.
    if Int32(ready.events) & (POLLHUP | POLLERR) != 0 { throw .noDevice }
    return nil
  }

  private func samples(_ bytes: ArraySlice<UInt8>) -> [IIOScan.Sample]? {
    var samples = scan.samples(in: bytes)
    if !isDated { for index in samples.indices { samples[index].nanoseconds = nil } }
    return samples.isEmpty ? nil : samples
  }

  @discardableResult private func set(_ text: String, _ name: String, in folder: SensorFolder) -> Bool {
    guard let before = try? folder.text(name) else { return false }
    guard folder.write(text, to: name) else { return false }
    changes.append((folder, name, before))
    return true
  }

  private func quicken() {
    for name in ["in_accel_sampling_frequency", "sampling_frequency"] {
      guard let present = try? folder.number(name) else { continue }
      if present < IIOBuffer.frequency { set("\(Int(IIOBuffer.frequency))", name, in: folder) }
      return
    }
  }

  /// Whether the sensor can deliver samples. A sensor that needs a trigger and has none never delivers any.
  private static func hasTrigger(_ folder: SensorFolder) -> Bool {
    guard let trigger = try? folder.text("trigger/current_trigger") else { return true }
    return !trigger.isEmpty
  }

  /// Enables the three axes, and the time of each sample if the sensor has it.
  /// - Returns: the changes; nil, with everything restored, if a change is not allowed.
  private static func enable(
    _ elements: SensorFolder
  ) -> [(folder: SensorFolder, name: String, before: String)]? {
    var changes: [(folder: SensorFolder, name: String, before: String)] = []
    for name in IIOAccelerometer.axes.map({ "in_accel_\($0)_en" }) {
      guard let before = try? elements.text(name) else { return nil }
      guard before != "1" else { continue }
      guard elements.write("1", to: name) else {
        for change in changes { change.folder.write(change.before, to: change.name) }
        return nil
      }
      changes.append((elements, name, before))
    }
    if (try? elements.text("in_timestamp_en")) == "0", elements.write("1", to: "in_timestamp_en") {
      changes.append((elements, "in_timestamp_en", "0"))
    }
    return changes
  }

  /// The layout of all enabled elements, in the order of the driver's indices.
  private static func layout(of elements: SensorFolder) -> IIOScan? {
    let enabled = elements.names.filter { $0.hasSuffix("_en") && (try? elements.text($0)) == "1" }
    var found: [(index: Int, channel: IIOScan.Channel, element: IIOScan.Element)] = []
    for name in enabled.map({ $0.dropLast(3) }) {
      guard let index = try? elements.number("\(name)_index"), (0...4096).contains(index),
        let element = (try? elements.text("\(name)_type")).flatMap(IIOScan.Element.init)
      else { return nil }
      let axis = IIOAccelerometer.axes.firstIndex { name == "in_accel_\($0)" }
      found.append(
        (Int(index), axis.map { .axis($0) } ?? (name == "in_timestamp" ? .timestamp : .other), element))
    }
    return IIOScan(found.sorted { $0.index < $1.index }.map { ($0.channel, $0.element) })
  }
}
