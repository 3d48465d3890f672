package import CVideo4Linux
package import Video4Linux

/// The driver inside a `ScriptedKernel`: a camera that follows V4L2's rules for buffers, and records calls that break them.
package struct ScriptedDevice {
  package var driver = "scripted"
  package var card = "Scripted camera"
  package var bus = "scripted"
  package var capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING
  /// The number of bytes of each plane; more than one plane for the multi-planar API.
  package var planeLengths: [UInt32] = [64]
  package var allocated = 0
  package var queued: [UInt32] = []
  package var isStreaming = false
  /// The buffers that `VIDIOC_QBUF` queued, in order.
  package var received: [v4l2_buffer] = []
  /// The path of the device node; nil if the device answers at any path.
  package var node: String?
  /// The modes that `VIDIOC_ENUM_FMT` and related calls list. If empty, the driver does not know these calls.
  package var modes: [ScriptedMode] = []
  package var interval = v4l2_fract(numerator: 1, denominator: 30)
  /// Whether the stream is broken (`POLLERR`, `EIO`) until it is stopped.
  package var isBroken = false
  /// The answer to `VIDIOC_QUERY_DV_TIMINGS`; nil for a camera without a digital video input.
  package var timings: v4l2_dv_timings?
  /// The timings that are set, at first those of the signal; nil until they are read or set. Only modes of their width are offered.
  package var timingsInForce: v4l2_dv_timings?
  package var signalFault: Errno?
  package var sequence: UInt32 = 0
  /// The values of read-only controls, all of which are integers.
  package var controls: [ControlID: Int32] = [:]
  /// Settable controls of every kind, in the order of their ids.
  package var operated: [ScriptedControl] = []
  /// For each call that sets controls, the controls in it.
  package var written: [[ControlID]] = []
  /// Whether the node's permissions allow this process to open it.
  package var isReadable = true
  /// The nanoseconds of silence at the start of a stream.
  package var wakingTime: Int64 = 0
  /// The time at which the first frame was due, in nanoseconds; nil before that.
  var streamBegan: Int64?
  var events: [v4l2_event] = []
  var hasFilled: Bool { isStreaming && !done.isEmpty }
  private var done: [(v4l2_buffer, [v4l2_plane])] = []
  package internal(set) var format = v4l2_format()
  var isMultiplanar: Bool {
    capabilities & (V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_VIDEO_OUTPUT_MPLANE) != 0
  }

  mutating func forgetBuffers() {
    allocated = 0
    queued = []
    done = []
    isStreaming = false
    isBroken = false
  }

  package mutating func complete(_ describe: (inout v4l2_buffer, UnsafeMutablePointer<v4l2_plane>) -> Void) {
    precondition(isStreaming && !queued.isEmpty, "the driver holds no buffer")
    var raw = v4l2_buffer()
    raw.index = queued.removeFirst()
    raw.bytesused = planeLengths[0]
    var planes = planeLengths.map { length in
      var plane = v4l2_plane()
      plane.bytesused = length
      return plane
    }
    planes.withUnsafeMutableBufferPointer { describe(&raw, $0.baseAddress!) }
    done.append((raw, planes))
  }

  /// Makes the running stream silent again for `wakingTime`.
  package mutating func wakeAgain() { streamBegan = nil }

  mutating func answer(_ request: Request, _ argument: UnsafeMutableRawPointer) -> Errno? {
    func argumentAs<Argument>(_: Argument.Type) -> UnsafeMutablePointer<Argument> {
      argument.assumingMemoryBound(to: Argument.self)
    }
    switch request {
    case .queryCapabilities: answerCapabilities(&argumentAs(v4l2_capability.self).pointee)
    case .setFormat where !modes.isEmpty: return setMode(&argumentAs(v4l2_format.self).pointee)
    case .setFormat, .tryFormat: format = argumentAs(v4l2_format.self).pointee
    case .getFormat: argumentAs(v4l2_format.self).pointee = format
    case .requestBuffers: return answerRequest(&argumentAs(v4l2_requestbuffers.self).pointee)
    case .queryBuffer: return answerQuery(&argumentAs(v4l2_buffer.self).pointee)
    case .queueBuffer: return answerQueue(argumentAs(v4l2_buffer.self).pointee)
    case .dequeueBuffer: return answerDequeue(&argumentAs(v4l2_buffer.self).pointee)
    case .queryControl, .queryMenu, .getControls, .setControls:
      if !operated.isEmpty { return answerOperated(request, argument) }
      return answerControls(request, argument)
    case .streamOn:
      (isStreaming, streamBegan) = (true, nil)
      resetControls()
    case .streamOff:
      isStreaming = false
      isBroken = false
      queued = []
      done = []
    default: return modes.isEmpty && timings == nil ? .notTTY : answerOffer(request, argument)
    }
    return nil
  }

  private func answerCapabilities(_ raw: inout v4l2_capability) {
    withUnsafeMutableBytes(of: &raw.driver) { $0.copyBytes(from: Array(driver.utf8).prefix($0.count)) }
    withUnsafeMutableBytes(of: &raw.card) { $0.copyBytes(from: Array(card.utf8).prefix($0.count)) }
    withUnsafeMutableBytes(of: &raw.bus_info) { $0.copyBytes(from: Array(bus.utf8).prefix($0.count)) }
    raw.version = 6 << 16 | 1 << 8 | 90
    raw.device_caps = UInt32(bitPattern: capabilities)
    raw.capabilities = 0x8000_0000 | UInt32(bitPattern: V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE)
  }

  /// Answers a call about read-only controls.
  private mutating func answerControls(_ request: Request, _ argument: UnsafeMutableRawPointer) -> Errno? {
    switch request {
    case .queryControl where !controls.isEmpty:
      return describeControl(&argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self).pointee)
    case .getControls where !controls.isEmpty:
      return readControls(argument.assumingMemoryBound(to: v4l2_ext_controls.self).pointee)
    default: return modes.isEmpty && timings == nil ? .notTTY : answerOffer(request, argument)
    }
  }

  private func describeControl(_ raw: inout v4l2_query_ext_ctrl) -> Errno? {
    guard controls[ControlID(rawValue: raw.id)] != nil else { return .invalidArgument }
    raw.type = V4L2_CTRL_TYPE_INTEGER.rawValue
    (raw.minimum, raw.maximum, raw.step) = (-1000, 1000, 1)
    return nil
  }

  private func readControls(_ raw: v4l2_ext_controls) -> Errno? {
    for index in 0..<Int(raw.count) {
      guard let control = raw.controls, let value = controls[ControlID(rawValue: control[index].id)] else {
        return .invalidArgument
      }
      control[index].value = value
    }
    return nil
  }

  private mutating func answerRequest(_ raw: inout v4l2_requestbuffers) -> Errno? {
    if isStreaming { return .busy }
    forgetBuffers()
    allocated = Int(raw.count)
    return nil
  }

  private func answerQuery(_ raw: inout v4l2_buffer) -> Errno? {
    guard raw.index < allocated else { return .invalidArgument }
    guard isMultiplanar else {
      raw.length = planeLengths[0]
      raw.m.offset = raw.index * 4096
      return nil
    }
    for (index, length) in planeLengths.enumerated() {
      raw.m.planes[index].length = length
      raw.m.planes[index].m.mem_offset = (raw.index * 8 + UInt32(index)) * 4096
    }
    raw.length = UInt32(planeLengths.count)
    return nil
  }

  private mutating func answerQueue(_ raw: v4l2_buffer) -> Errno? {
    let isDone = done.contains { $0.0.index == raw.index }
    guard raw.index < allocated, !queued.contains(raw.index), !isDone else { return .invalidArgument }
    if isMultiplanar, raw.length != planeLengths.count { return .invalidArgument }
    queued.append(raw.index)
    received.append(raw)
    return nil
  }

  private mutating func answerDequeue(_ raw: inout v4l2_buffer) -> Errno? {
    guard isStreaming else { return .invalidArgument }
    if isBroken { return .inputOutput }
    guard !done.isEmpty else { return .tryAgain }
    let (buffer, planes) = done.removeFirst()
    let pointers = raw.m
    raw = buffer
    raw.m = pointers
    if isMultiplanar { for (index, plane) in planes.enumerated() { raw.m.planes[index] = plane } }
    return nil
  }
}
