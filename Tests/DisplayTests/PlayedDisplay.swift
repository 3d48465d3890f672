import Imagery
import System
import Video4Linux

@testable import Display

/// A scripted display with a vblank every `interval`.
///
/// `@unchecked Sendable`: all mutable state is protected by a lock, and only `release` frees memory.
final class PlayedDisplay: DisplayDriver, @unchecked Sendable {
  struct Play {
    var abilities = DisplayAbilities(showsDumbBuffers: true, stampsMonotonic: true)
    var isConnected = true
    var modes = [DisplayMode(size: PixelSize(width: 64, height: 48), refreshRate: 60, isPreferred: true)]
    var encoder = EncoderFacts(crtc: 0, possibleCRTCs: 0b10)
    var masterError: Errno?
    var flipError: Errno?
    var tellsFlips = true
    var shortRows = false
    /// The errors with which importing another driver's memory, making a framebuffer of it and showing this framebuffer fail; nil
    /// for success.
    var (importError, framebufferError, scanoutError): (Errno?, Errno?, Errno?)
    var vblanks: [(nanoseconds: Int64, sequence: UInt32)] = []
  }

  struct Seen {
    var shown: [(framebuffer: UInt32, crtc: UInt32, mode: DisplayMode?)] = []
    var flipped: [UInt32] = []
    var pending: [FlipEvent] = []
    var masters = 0
    var buffers = 0
    var released = 0
    /// The layout of each framebuffer that was made of another driver's memory.
    var layouts: [UInt32: ScanoutLayout] = [:]
    /// The framebuffers and the handles of other drivers' memory that still exist.
    var (framebuffers, handles): (Set<UInt32>, Set<UInt32>) = ([], [])
  }

  let path = "/dev/dri/card9"
  let play: Play
  let seen = Locked(Seen())

  init(_ play: Play = Play()) { self.play = play }

  func takeMaster() throws(Errno) {
    if let error = play.masterError { throw error }
    seen.withLock { $0.masters += 1 }
  }
  func dropMaster() { seen.withLock { $0.masters -= 1 } }
  func abilities() throws(Errno) -> DisplayAbilities { play.abilities }
  func resources() throws(Errno) -> DisplayResources { DisplayResources(crtcs: [31, 32], connectors: [41]) }
  func connector(_ id: UInt32) throws(Errno) -> ConnectorFacts {
    ConnectorFacts(isConnected: play.isConnected, modes: play.modes, encoder: 0, encoders: [51])
  }
  func encoder(_ id: UInt32) throws(Errno) -> EncoderFacts { play.encoder }
  func scanout(of crtc: UInt32) throws(Errno) -> Scanout { Scanout(framebuffer: 7, mode: play.modes.first) }
  func show(_ scanout: Scanout, on crtc: UInt32, connector: UInt32) throws(Errno) {
    seen.withLock { $0.shown.append((scanout.framebuffer, crtc, scanout.mode)) }
  }

  func makeBuffer(width: Int, height: Int) throws(Errno) -> ScanoutBuffer {
    let number = seen.withLock { seen in
      seen.buffers += 1
      return UInt32(seen.buffers)
    }
    let bytesPerRow = play.shortRows ? 4 * width - 4 : 4 * width
    let base = UnsafeMutableRawPointer.allocate(byteCount: 4 * width * height, alignment: 64)
    return ScanoutBuffer(
      handle: number, framebuffer: 100 + number, base: base, bytesPerRow: bytesPerRow,
      byteCount: 4 * width * height)
  }

  func release(_ buffer: ScanoutBuffer) {
    seen.withLock { $0.released += 1 }
    buffer.base.deallocate()
  }

  /// Returns the handle of shared memory: the descriptor plus 1000.
  func handle(ofShared descriptor: Int32) throws(Errno) -> UInt32 {
    if let error = play.importError { throw error }
    let handle = 1000 + UInt32(descriptor)
    seen.withLock { _ = $0.handles.insert(handle) }
    return handle
  }

  func makeFramebuffer(of handle: UInt32, _ layout: ScanoutLayout) throws(Errno) -> UInt32 {
    if let error = play.framebufferError { throw error }
    return seen.withLock { seen in
      let framebuffer = 2000 + UInt32(seen.layouts.count)
      seen.layouts[framebuffer] = layout
      seen.framebuffers.insert(framebuffer)
      return framebuffer
    }
  }

  func removeFramebuffer(_ framebuffer: UInt32) { seen.withLock { _ = $0.framebuffers.remove(framebuffer) } }
  func forget(_ handle: UInt32) { seen.withLock { _ = $0.handles.remove(handle) } }

  func flip(to framebuffer: UInt32, on crtc: UInt32, token: UInt64) throws(Errno) {
    if let error = play.flipError { throw error }
    if framebuffer >= 2000, let error = play.scanoutError { throw error }
    seen.withLock { seen in
      let vblank = play.vblanks[seen.flipped.count % play.vblanks.count]
      seen.flipped.append(framebuffer)
      seen.pending.append(FlipEvent(token: token, nanoseconds: vblank.nanoseconds, sequence: vblank.sequence))
    }
  }

  func flips(within milliseconds: Int32) throws(Errno) -> [FlipEvent] {
    guard play.tellsFlips else { return [] }
    return seen.withLock { seen in
      defer { seen.pending = [] }
      return seen.pending
    }
  }
}
