import CDRM
import Video4Linux

/// The kernel's own mode setting, through `CDRM`.
final class KernelDisplayDriver: DisplayDriver {
  let path: String
  private let descriptor: Int32
  /// The largest number of parts of one kind to list, such as connectors; no card has as many.
  private static let most: UInt32 = 64
  private static let mostModes: UInt32 = 512

  init(path: String) throws(Errno) {
    self.path = path
    descriptor = try Self.check(cdrm_open(path))
  }

  deinit { cdrm_close(descriptor) }

  @discardableResult private static func check(_ result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno(rawValue: -result) }
    return result
  }

  func takeMaster() throws(Errno) { try Self.check(cdrm_set_master(descriptor)) }
  func dropMaster() { _ = cdrm_drop_master(descriptor) }

  /// `DRM_CAP_DUMB_BUFFER` and `DRM_CAP_TIMESTAMP_MONOTONIC`.
  func abilities() throws(Errno) -> DisplayAbilities {
    var (dumb, monotonic): (UInt64, UInt64) = (0, 0)
    try Self.check(cdrm_capability(descriptor, 1, &dumb))
    try Self.check(cdrm_capability(descriptor, 6, &monotonic))
    return DisplayAbilities(showsDumbBuffers: dumb != 0, stampsMonotonic: monotonic != 0)
  }

  func resources() throws(Errno) -> DisplayResources {
    var (crtcs, connectors) = (
      [UInt32](repeating: 0, count: Int(Self.most)), [UInt32](repeating: 0, count: Int(Self.most))
    )
    var (crtcCount, connectorCount) = (Self.most, Self.most)
    try Self.check(cdrm_resources(descriptor, &crtcs, &crtcCount, &connectors, &connectorCount))
    return DisplayResources(
      crtcs: Array(crtcs.prefix(Int(crtcCount))), connectors: Array(connectors.prefix(Int(connectorCount))))
  }

  func connector(_ id: UInt32) throws(Errno) -> ConnectorFacts {
    var facts = cdrm_connector(
      encoder: 0, connection: 0, mode_count: Self.mostModes, encoder_count: Self.most)
    var modes = [cdrm_mode](repeating: cdrm_mode(), count: Int(Self.mostModes))
    var encoders = [UInt32](repeating: 0, count: Int(Self.most))
    try Self.check(cdrm_connector_facts(descriptor, id, &facts, &modes, &encoders))
    return ConnectorFacts(
      // DRM_MODE_CONNECTED.
      isConnected: facts.connection == 1, modes: modes.prefix(Int(facts.mode_count)).map { DisplayMode($0) },
      encoder: facts.encoder, encoders: Array(encoders.prefix(Int(facts.encoder_count))))
  }

  func encoder(_ id: UInt32) throws(Errno) -> EncoderFacts {
    var (crtc, possible): (UInt32, UInt32) = (0, 0)
    try Self.check(cdrm_encoder(descriptor, id, &crtc, &possible))
    return EncoderFacts(crtc: crtc, possibleCRTCs: possible)
  }

  func scanout(of crtc: UInt32) throws(Errno) -> Scanout {
    var answer = cdrm_scanout()
    try Self.check(cdrm_get_scanout(descriptor, crtc, &answer))
    return Scanout(
      framebuffer: answer.framebuffer, x: answer.x, y: answer.y,
      mode: answer.has_mode != 0 ? DisplayMode(answer.mode) : nil)
  }

  func show(_ scanout: Scanout, on crtc: UInt32, connector: UInt32) throws(Errno) {
    var wanted = cdrm_scanout(
      framebuffer: scanout.framebuffer, x: scanout.x, y: scanout.y, has_mode: scanout.mode == nil ? 0 : 1,
      mode: scanout.mode?.timing ?? cdrm_mode())
    try Self.check(cdrm_set_scanout(descriptor, crtc, connector, &wanted))
  }

  func makeBuffer(width: Int, height: Int) throws(Errno) -> ScanoutBuffer {
    var made = cdrm_buffer()
    try Self.check(cdrm_make_buffer(descriptor, UInt32(width), UInt32(height), &made))
    guard let base = made.base else { throw .outOfMemory }
    return ScanoutBuffer(
      handle: made.handle, framebuffer: made.framebuffer, base: base, bytesPerRow: Int(made.bytes_per_row),
      byteCount: Int(made.byte_count))
  }

  func release(_ buffer: ScanoutBuffer) {
    var gone = cdrm_buffer(
      handle: buffer.handle, framebuffer: buffer.framebuffer, bytes_per_row: UInt32(buffer.bytesPerRow),
      byte_count: UInt64(buffer.byteCount), base: buffer.base)
    cdrm_release_buffer(descriptor, &gone)
  }

  func handle(ofShared descriptor: Int32) throws(Errno) -> UInt32 {
    var handle: UInt32 = 0
    try Self.check(cdrm_import(self.descriptor, descriptor, &handle))
    return handle
  }

  func makeFramebuffer(of handle: UInt32, _ layout: ScanoutLayout) throws(Errno) -> UInt32 {
    let sizes = [layout.width, layout.height, layout.bytesPerRow, layout.offset].map { UInt32(exactly: $0) }
    guard let width = sizes[0], let height = sizes[1], let bytesPerRow = sizes[2], let offset = sizes[3]
    else {
      throw .outOfRange
    }
    var asked = cdrm_layout(width: width, height: height, bytes_per_row: bytesPerRow, offset: offset)
    var framebuffer: UInt32 = 0
    try Self.check(cdrm_make_framebuffer(descriptor, handle, &asked, &framebuffer))
    return framebuffer
  }

  func removeFramebuffer(_ framebuffer: UInt32) { cdrm_remove_framebuffer(descriptor, framebuffer) }
  func forget(_ handle: UInt32) { cdrm_close_handle(descriptor, handle) }

  func flip(to framebuffer: UInt32, on crtc: UInt32, token: UInt64) throws(Errno) {
    try Self.check(cdrm_page_flip(descriptor, crtc, framebuffer, token))
  }

  func flips(within milliseconds: Int32) throws(Errno) -> [FlipEvent] {
    var flips = [cdrm_flip](repeating: cdrm_flip(), count: 16)
    let count = try Self.check(cdrm_flips(descriptor, milliseconds, &flips, 16))
    return flips.prefix(Int(count)).map {
      FlipEvent(token: $0.token, nanoseconds: $0.time_ns, sequence: $0.sequence)
    }
  }
}
