package import Video4Linux

/// All calls of this module to the kernel's mode setting: `KernelDisplayDriver` performs them, and tests use a scripted driver.
package protocol DisplayDriver: AnyObject, Sendable {
  /// The path of the card, such as `/dev/dri/card0`.
  var path: String { get }
  /// Makes this program the only one that may change the display.
  func takeMaster() throws(Errno)
  /// Ends the exclusive right from `takeMaster()`, so that another program can take it.
  func dropMaster()
  /// Whether the card can show memory drawn by the processor, and whether its timestamps are on `CLOCK_MONOTONIC`.
  func abilities() throws(Errno) -> DisplayAbilities
  /// The ids of the card's parts.
  func resources() throws(Errno) -> DisplayResources
  /// The present state of a connector.
  func connector(_ id: UInt32) throws(Errno) -> ConnectorFacts
  /// The CRTCs that an encoder can use: a bit for each CRTC, in the order of the resources.
  func encoder(_ id: UInt32) throws(Errno) -> EncoderFacts
  /// The present scanout of a CRTC.
  func scanout(of crtc: UInt32) throws(Errno) -> Scanout
  /// Shows a framebuffer in a mode from now on; without a mode, shows nothing.
  func show(_ scanout: Scanout, on crtc: UInt32, connector: UInt32) throws(Errno)
  /// Allocates memory that can be shown.
  func makeBuffer(width: Int, height: Int) throws(Errno) -> ScanoutBuffer
  /// Releases the buffer's mapping and its framebuffer.
  func release(_ buffer: ScanoutBuffer)
  /// The card's handle for memory of another driver, given as a DMA-BUF. It is the same at each call, until `forget(_:)`.
  func handle(ofShared descriptor: Int32) throws(Errno) -> UInt32
  /// Makes a framebuffer of another driver's memory.
  func makeFramebuffer(of handle: UInt32, _ layout: ScanoutLayout) throws(Errno) -> UInt32
  /// Removes a framebuffer of another driver's memory; if it is shown, the display goes dark.
  func removeFramebuffer(_ framebuffer: UInt32)
  /// Releases memory of another driver.
  func forget(_ handle: UInt32)
  /// Shows a framebuffer from the next vblank on, and reports it by an event with this token.
  func flip(to framebuffer: UInt32, on crtc: UInt32, token: UInt64) throws(Errno)
  /// Waits for flips.
  /// - Returns: an empty array after the time-out.
  func flips(within milliseconds: Int32) throws(Errno) -> [FlipEvent]
}

package struct DisplayAbilities: Hashable, Sendable {
  /// Whether memory drawn by the processor can be shown.
  package var showsDumbBuffers: Bool
  /// Whether times of vblanks are on `CLOCK_MONOTONIC`.
  package var stampsMonotonic: Bool
}

/// The ids of a card's parts.
package struct DisplayResources: Hashable, Sendable {
  package var crtcs: [UInt32]
  package var connectors: [UInt32]
}

package struct ConnectorFacts: Sendable {
  package var isConnected: Bool
  package var modes: [DisplayMode]
  /// The present encoder; 0 for none.
  package var encoder: UInt32
  package var encoders: [UInt32]
}

/// The properties of an encoder, which joins CRTCs to a connector.
package struct EncoderFacts: Hashable, Sendable {
  /// The present CRTC; 0 for none.
  package var crtc: UInt32
  package var possibleCRTCs: UInt32
}

/// A framebuffer in a mode; without a mode nothing is shown.
package struct Scanout: Sendable {
  package var framebuffer: UInt32
  package var x: UInt32 = 0
  package var y: UInt32 = 0
  package var mode: DisplayMode?
}

/// Mapped memory of 4 bytes a pixel (blue, green, red, unused), and the framebuffer that shows it.
package struct ScanoutBuffer {
  package var handle: UInt32
  package var framebuffer: UInt32
  package var base: UnsafeMutableRawPointer
  package var bytesPerRow: Int
  package var byteCount: Int
}

/// The layout of a picture of 4 bytes a pixel (blue, green, red, unused) in memory of another driver.
package struct ScanoutLayout: Hashable, Sendable {
  package var width: Int
  package var height: Int
  package var bytesPerRow: Int
  /// The offset of the first byte.
  package var offset: Int
}

/// A completed flip, as the kernel reports it.
package struct FlipEvent: Hashable, Sendable {
  package var token: UInt64
  /// The time of the vblank, in nanoseconds of `CLOCK_MONOTONIC`.
  package var nanoseconds: Int64
  /// The number of the vblank; it wraps.
  package var sequence: UInt32
}
