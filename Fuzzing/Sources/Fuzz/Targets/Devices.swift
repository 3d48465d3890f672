@testable import BookScan
@testable import Capture
@testable import Qualification
@testable import Video4Linux

extension FuzzTarget {
  static let devices = [v4l2, hotPlug, compliance, iio, characters]

  private static let v4l2 = FuzzTarget(
    name: "v4l2", longest: 8192, seeds: [[UInt8](repeating: 1, count: 2000), []]
  ) {
    guard let device = try? VideoDevice(path: "/dev/video0", kernel: LyingKernel($0)) else { return }
    let texts = [device.capabilities.driver, device.capabilities.card, device.capabilities.bus]
    let formats = (try? device.formats()) ?? []
    let inputs = (try? device.inputs()) ?? []
    for text in texts + formats.map(\.text) + inputs.map(\.name) {
      hold(
        text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 },
        "a control character in \(text.debugDescription)")
    }
    for format in formats.prefix(4) {
      if let sizes = try? device.frameSizes(for: format.fourCC) { _ = "\(sizes)" }
      if let intervals = try? device.frameIntervals(
        for: format.fourCC, size: FrameSize(width: 640, height: 480))
      {
        _ = "\(intervals)"
      }
    }
    for control in (try? device.controls())?.controls ?? [] {
      if case .integer(let range) = control.kind {
        hold((range.minimum...range.maximum).contains(range.nearest(to: 7)), "\(range)")
      }
    }
    let controls = V4L2Controls(of: device)
    let capabilities = controls.capabilities()
    for (control, value) in controls.values(of: capabilities.map(\.control)) {
      switch value {
      case .number(let number): hold(number.isFinite, "\(control) is \(number)")
      case .point(let x, let y): hold((0...1).contains(x) && (0...1).contains(y), "\(control) is \(value)")
      case .choice, .flag: break
      }
    }
    _ = controls.set(capabilities.map { ($0.control, $0.defaultValue ?? .point(x: 1, y: 0)) })
    for capability in capabilities {
      for wanted in [-1e300, 0.37, 1e300] {
        guard let value = capability.fitted(.number(wanted)).value?.number else { continue }
        let isInside = capability.values?.contains(value) ?? capability.range?.contains(value) ?? false
        hold(isInside, "\(capability) takes \(value) for \(wanted)")
      }
    }
    if let format = try? device.format() { _ = try? device.setFormat(format) }
    _ = try? device.frameInterval()
    _ = try? device.timings().map(\.description)
    _ = try? device.signal()
    for target in SelectionTarget.allCases { _ = try? device.selection(target) }
  }

  private static let hotPlug = FuzzTarget(
    name: "hot-plug", longest: 1024,
    seeds: [
      [UInt8](
        "add@/devices/pci0/usb1/video4linux/video0\0ACTION=add\0DEVPATH=/devices/pci0/usb1/video4linux/video0\0SUBSYSTEM=video4linux\0DEVNAME=video0\0"
      )
    ]
  ) { input in
    guard let event = HotPlugEvent(message: Array(input)) else { return }
    hold(event.path.hasPrefix("/dev/video") && !event.sysfsPath.contains("/../"), "it is \(event)")
  }

  private static let compliance = FuzzTarget(
    name: "compliance",
    seeds: [
      [UInt8](
        "v4l2-compliance 1.22.1, 64 bits\n\t\tfail: v4l2-test-formats.cpp(341): pixelformat\n\ttest VIDIOC_G_FMT: FAIL\n\t\twarn: x\n\ttest A: OK (Not Supported)\n"
      )
    ]
  ) { input in
    let output = ComplianceOutput(String(decoding: input, as: UTF8.self))
    hold(output.findings.count <= 201, "\(output.findings.count) findings")
    for text in output.findings.flatMap({ [$0.test] + $0.messages }) + [output.version] {
      hold(
        text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 },
        "a control character in \(text.debugDescription)")
      hold(text.unicodeScalars.count <= 400, "a line of \(text.unicodeScalars.count)")
    }
  }

  /// Reads lines that describe the values of a sample, an empty line, and samples.
  private static let iio = FuzzTarget(
    name: "iio", longest: 512,
    seeds: [
      [UInt8]("le:s12/16>>4\nle:s12/16>>4\nbe:u64/64\nle:s64/64>>0\n\n0123456789abcdef0123456789abcdef")
    ]
  ) { input in
    let halves = Array(input).split(separator: 10, omittingEmptySubsequences: false)
    let lines = halves.prefix { !$0.isEmpty }.prefix(32).map { String(decoding: $0, as: UTF8.self) }
    for line in lines { _ = MountMatrix(line) }
    let elements = lines.compactMap(IIOScan.Element.init)
    let values = elements.enumerated().map {
      index, element -> (channel: IIOScan.Channel, element: IIOScan.Element) in
      (index < 3 ? .axis(index) : index == 3 ? .timestamp : .other, element)
    }
    guard let scan = IIOScan(values) else { return }
    hold((1...512).contains(scan.length), "a sample of \(scan.length) bytes")
    let samples = halves.dropFirst(lines.count).joined(separator: [10])
    for sample in scan.samples(in: Array(samples)[...]) {
      hold(sample.raw.count == 3 && sample.raw.allSatisfy(\.isFinite), "it reads \(sample.raw)")
    }
  }

  private static let characters = FuzzTarget(
    name: "characters", longest: 2048,
    seeds: [
      [0x08, 7, 0x72, 21, 0x0A, 9] + Array("character".utf8) + [0x12, 8] + Array("a\nb\nc\n\u{E9}".utf8)
    ]
  ) { input in
    guard let list = CharacterList(metadata: input) else { return }
    hold(list.characters.first == "" && list.characters.last == " ", "neither blank nor space")
    hold(list.characters.count <= input.count + 3, "\(list.characters.count) characters")
  }
}
