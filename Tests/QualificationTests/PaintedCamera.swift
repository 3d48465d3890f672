import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Video4Linux

@testable import Qualification

/// The camera of a `ScriptedKernel`. It draws pictures into its buffers, has controls that change them, and serves one client at a
/// time.
final class PaintedCamera: DriverLie {
  struct Values: Hashable, Sendable {
    var brightness: Int32 = 128
    var contrast: Int32 = 128
    var mirrored: Int32 = 0
  }

  private struct Canvas: Hashable, Sendable {
    let fourCC: UInt32
    let size: PixelSize
    let stride: Int
    let values: Values
  }

  private let values = Locked(Values())
  private let painted = Locked<[Canvas: [UInt8]]>([:])

  private static let controls:
    [(id: ControlID, type: v4l2_ctrl_type, path: any WritableKeyPath<Values, Int32> & Sendable)] = [
      (.brightness, V4L2_CTRL_TYPE_INTEGER, \.brightness), (.contrast, V4L2_CTRL_TYPE_INTEGER, \.contrast),
      (.horizontalFlip, V4L2_CTRL_TYPE_BOOLEAN, \.mirrored),
    ]

  // MARK: The driver

  func intercept(_ call: DriverCall) throws(Errno) -> Bool {
    switch call.request {
    case .queryControl: try describe(call.structure(v4l2_query_ext_ctrl.self))
    case .getControls, .setControls: try exchange(call)
    case .setFormat, .requestBuffers:
      if call.anotherHasBuffers { throw .busy }
      return false
    default: return false
    }
    return true
  }

  func twist(_ call: DriverCall) throws(Errno) {
    switch call.request {
    case .queryCapabilities:
      withUnsafeMutableBytes(of: &call.structure(v4l2_capability.self).pointee.bus_info) {
        $0.copyBytes(from: Array("usb-test".utf8))
      }
    case .dequeueBuffer: paint(call)
    default: break
    }
  }

  private func describe(_ raw: UnsafeMutablePointer<v4l2_query_ext_ctrl>) throws(Errno) {
    let last = raw.pointee.id & 0x3FFF_FFFF
    guard let next = Self.controls.first(where: { $0.id.rawValue > last }) else { throw .invalidArgument }
    raw.pointee.id = next.id.rawValue
    raw.pointee.type = next.type.rawValue
    raw.pointee.maximum = next.type == V4L2_CTRL_TYPE_BOOLEAN ? 1 : 255
    raw.pointee.step = 1
    raw.pointee.default_value = next.type == V4L2_CTRL_TYPE_BOOLEAN ? 0 : 128
  }

  private func exchange(_ call: DriverCall) throws(Errno) {
    let list = call.structure(v4l2_ext_controls.self).pointee
    for index in 0..<Int(list.count) {
      let control = list.controls + index
      guard let known = Self.controls.first(where: { $0.id.rawValue == control.pointee.id }) else {
        throw .invalidArgument
      }
      let limit: Int32 = known.type == V4L2_CTRL_TYPE_BOOLEAN ? 1 : 255
      values.withLock { values in
        if call.request == .setControls {
          values[keyPath: known.path] = min(max(control.pointee.value, 0), limit)
        } else {
          control.pointee.value = values[keyPath: known.path]
        }
      }
    }
  }

  // MARK: The picture

  private func paint(_ call: DriverCall) {
    guard let memory = call.picture else { return }
    let client = call.client
    let canvas = Canvas(
      fourCC: client.fourCC, size: PixelSize(width: Int(client.width), height: Int(client.height)),
      stride: Int(client.bytesPerLine), values: values.withLock { $0 })
    let bytes = painted.withLock { painted in
      let bytes = painted[canvas] ?? Self.draw(canvas)
      painted[canvas] = bytes
      return bytes
    }
    memory.copyBytes(from: bytes.prefix(memory.count))
    if canvas.fourCC == FourCC.mjpeg.rawValue { call.setBytesUsed(bytes.count) }
  }

  /// Returns the rows of a YUYV picture, or a JPEG file for MJPG.
  private static func draw(_ canvas: Canvas) -> [UInt8] {
    let (width, height) = (canvas.size.width, canvas.size.height)
    let isJPEG = canvas.fourCC == FourCC.mjpeg.rawValue
    let stride = isJPEG ? width * 2 : canvas.stride
    var bytes = [UInt8](repeating: 128, count: stride * height)
    for y in 0..<height {
      for x in 0..<width {
        let column = canvas.values.mirrored == 0 ? x : width - 1 - x
        bytes[y * stride + x * 2] = luma(column * 100 / width, y * 100 / height, canvas.values)
      }
    }
    return isJPEG ? jpeg(&bytes, canvas.size) : bytes
  }

  /// Returns the luma of an asymmetric scene at one of its 100 × 100 positions.
  private static func luma(_ x: Int, _ y: Int, _ values: Values) -> UInt8 {
    let scene = 60 + y / 2 + x / 3 + (x < 30 && y < 40 ? 50 : 0)
    return UInt8(clamping: (scene - 128) * Int(values.contrast) / 128 + Int(values.brightness))
  }

  private static func jpeg(_ bytes: inout [UInt8], _ size: PixelSize) -> [UInt8] {
    bytes.withUnsafeMutableBytes { memory in
      let format = ImageFormat(
        pixelFormat: .yuyv, size: size, color: ColorDescription(matrix: .bt601, range: .full))
      let plane = Plane(base: memory.baseAddress!, bytesPerRow: size.width * 2, height: size.height)
      let picture = PixelBuffer(format: format, planes: [plane], lender: nil)
      return (try? PhotoPipeline().process(picture, orientation: .upright, settings: PhotoSettings()).bytes)
        ?? []
    }
  }

  // MARK: The machine around it

  /// Returns a kernel on a clock that advances only by waiting.
  static func kernel() throws -> any Kernel {
    let time = Locked<Int64>(1_000_000_000)
    let modes = [
      ScriptedMode(.yuyv, 160, 120, [50]), ScriptedMode(.yuyv, 240, 136, [50]),
      ScriptedMode(.yuyv, 320, 180, [50]),
      ScriptedMode(.mjpeg, 160, 120, [50]), ScriptedMode(.mjpeg, 320, 180, [50]),
    ]
    let scripted = ScriptedKernel {
      $0.node = "/dev/video0"
      $0.modes = modes
    }
    scripted.live(
      in: ScriptedKernel.World(now: { time.withLock { $0 } }) { until, _ in
        if let until { time.withLock { $0 = max($0, until) } }
        return false
      })
    scripted.fill(every: 20_000_000)
    plugIn(scripted)
    let kernel = LyingKernel(base: scripted, lie: PaintedCamera())
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    _ = try device.setFormat(VideoFormat(fourCC: .yuyv, size: FrameSize(width: 320, height: 180)))
    device.close()
    return kernel
  }

  private static func plugIn(_ kernel: ScriptedKernel) {
    let usb = "/sys/devices/usb1/1-1"
    kernel.folders["/dev"] = ["null", "video0"]
    kernel.links["/dev/video0"] = "/dev/video0"
    kernel.links["/sys/class/video4linux/video0/device"] = "\(usb)/1-1:1.0"
    kernel.files["/sys/class/video4linux/video0/index"] = "0\n"
    kernel.files["\(usb)/idVendor"] = "1234\n"
    kernel.files["\(usb)/idProduct"] = "abcd\n"
    kernel.files["\(usb)/serial"] = "0042\n"
    kernel.files["\(usb)/manufacturer"] = "Nobody\u{1B}[2J\n"
  }
}
