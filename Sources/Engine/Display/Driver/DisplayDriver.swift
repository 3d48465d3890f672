package import Video4Linux

/// What this room asks of the kernel's mode setting, and nothing else: `KernelDisplayDriver` in earnest, a scripted one in tests.
package protocol DisplayDriver: AnyObject, Sendable {
  /// Of the card, such as `/dev/dri/card0`.
  var path: String { get }
  /// Becomes the one program that may change what is shown.
  func takeMaster() throws(Errno)
  /// Lets another program have it.
  func dropMaster()
  /// Whether memory can be shown that is drawn by the processor, and whether stamps are on `CLOCK_MONOTONIC`.
  func abilities() throws(Errno) -> DisplayAbilities
  /// The ids of what the card has.
  func resources() throws(Errno) -> DisplayResources
  /// What is plugged in there now.
  func connector(_ id: UInt32) throws(Errno) -> ConnectorFacts
  /// Where an encoder can take its picture from: a bit for each CRTC, in the order of the resources.
  func encoder(_ id: UInt32) throws(Errno) -> EncoderFacts
  /// What a CRTC shows now.
  func scanout(of crtc: UInt32) throws(Errno) -> Scanout
  /// Shows a framebuffer in a mode from now on; with no mode, nothing.
  func show(_ scanout: Scanout, on crtc: UInt32, connector: UInt32) throws(Errno)
  /// Memory that can be shown.
  func makeBuffer(width: Int, height: Int) throws(Errno) -> ScanoutBuffer
  /// Ends its mapping and its framebuffer.
  func release(_ buffer: ScanoutBuffer)
  /// The card's name for memory of another driver, given as a DMA-BUF: the same each time, until it is forgotten.
  func handle(ofShared descriptor: Int32) throws(Errno) -> UInt32
  /// What shows such memory.
  func makeFramebuffer(of handle: UInt32, _ layout: ScanoutLayout) throws(Errno) -> UInt32
  /// Ends a framebuffer that was made of other memory; where it is shown, the display goes dark.
  func removeFramebuffer(_ framebuffer: UInt32)
  /// Lets memory of another driver go.
  func forget(_ handle: UInt32)
  /// Shows a framebuffer from the next vblank on, and tells of it by an event with this token.
  func flip(to framebuffer: UInt32, on crtc: UInt32, token: UInt64) throws(Errno)
  /// Waits for flips.
  /// - Returns: none after the time-out.
  func flips(within milliseconds: Int32) throws(Errno) -> [FlipEvent]
}

/// What a card can do.
package struct DisplayAbilities: Hashable, Sendable {
  /// Memory drawn by the processor can be shown.
  package var showsDumbBuffers: Bool
  /// Times of vblanks are on `CLOCK_MONOTONIC`.
  package var stampsMonotonic: Bool

  package init(showsDumbBuffers: Bool, stampsMonotonic: Bool) {
    self.showsDumbBuffers = showsDumbBuffers
    self.stampsMonotonic = stampsMonotonic
  }
}

/// The ids of a card's parts.
package struct DisplayResources: Hashable, Sendable {
  package var crtcs: [UInt32]
  package var connectors: [UInt32]

  package init(crtcs: [UInt32], connectors: [UInt32]) {
    self.crtcs = crtcs
    self.connectors = connectors
  }
}

/// A place to plug a display in.
package struct ConnectorFacts: Sendable {
  package var isConnected: Bool
  package var modes: [DisplayMode]
  /// The encoder that it has now; 0 for none.
  package var encoder: UInt32
  package var encoders: [UInt32]

  package init(isConnected: Bool, modes: [DisplayMode], encoder: UInt32, encoders: [UInt32]) {
    self.isConnected = isConnected
    self.modes = modes
    self.encoder = encoder
    self.encoders = encoders
  }
}

/// What joins CRTCs to a connector.
package struct EncoderFacts: Hashable, Sendable {
  /// The CRTC that it has now; 0 for none.
  package var crtc: UInt32
  package var possibleCRTCs: UInt32

  package init(crtc: UInt32, possibleCRTCs: UInt32) {
    self.crtc = crtc
    self.possibleCRTCs = possibleCRTCs
  }
}

/// A framebuffer in a mode; without a mode nothing is shown.
package struct Scanout: Sendable {
  package var framebuffer: UInt32
  package var x: UInt32
  package var y: UInt32
  package var mode: DisplayMode?

  package init(framebuffer: UInt32, x: UInt32 = 0, y: UInt32 = 0, mode: DisplayMode?) {
    self.framebuffer = framebuffer
    self.x = x
    self.y = y
    self.mode = mode
  }
}

/// Mapped memory of 4 bytes a pixel (blue, green, red, unused), and the framebuffer that shows it.
package struct ScanoutBuffer {
  package var handle: UInt32
  package var framebuffer: UInt32
  package var base: UnsafeMutableRawPointer
  package var bytesPerRow: Int
  package var byteCount: Int

  package init(
    handle: UInt32, framebuffer: UInt32, base: UnsafeMutableRawPointer, bytesPerRow: Int, byteCount: Int
  ) {
    self.handle = handle
    self.framebuffer = framebuffer
    self.base = base
    self.bytesPerRow = bytesPerRow
    self.byteCount = byteCount
  }
}

/// How a picture of 4 bytes a pixel (blue, green, red, unused) lies in memory of another driver.
package struct ScanoutLayout: Hashable, Sendable {
  package var width: Int
  package var height: Int
  package var bytesPerRow: Int
  /// Of the first byte.
  package var offset: Int

  package init(width: Int, height: Int, bytesPerRow: Int, offset: Int) {
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.offset = offset
  }
}

/// A flip that has happened, as the kernel tells it.
package struct FlipEvent: Hashable, Sendable {
  package var token: UInt64
  /// Of the vblank, in nanoseconds of `CLOCK_MONOTONIC`.
  package var nanoseconds: Int64
  /// Of the vblank; it wraps.
  package var sequence: UInt32

  package init(token: UInt64, nanoseconds: Int64, sequence: UInt32) {
    self.token = token
    self.nanoseconds = nanoseconds
    self.sequence = sequence
  }
}
