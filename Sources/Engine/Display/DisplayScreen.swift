public import Imagery
import Log
import System
import Video4Linux

/// A display in one of its modes, with three pictures: one that is shown, one that is drawn, and one that may still be held.
///
/// It uses the kernel's interface (DRM/KMS), without a desktop and without a library. Opening shows black; closing
/// restores the former picture, and lets other programs use the card.
public final class DisplayScreen: Sendable {
  /// The path of the card, such as `/dev/dri/card0`.
  public let path: String
  /// The mode of the display.
  public let mode: DisplayMode
  let driver: any DisplayDriver
  let crtc: UInt32
  private let connector: UInt32
  private let before: Scanout
  private let isOpen = Locked(true)

  /// Opens the first connected display.
  /// - Parameters:
  ///   - path: `/dev/dri/cardN`.
  ///   - size: the size of the mode; nil uses the display's preferred mode.
  public convenience init(path: String, size: PixelSize? = nil) throws(DisplayError) {
    let driver: KernelDisplayDriver
    do throws(Errno) { driver = try KernelDisplayDriver(path: path) } catch {
      throw DisplayError("open the display \(path)", error)
    }
    try self.init(driver: driver, size: size)
  }

  package init(driver: any DisplayDriver, size: PixelSize?) throws(DisplayError) {
    self.driver = driver
    path = driver.path
    let route = try DisplayRoute(driver: driver, size: size)
    mode = route.mode
    crtc = route.crtc
    connector = route.connector
    do throws(Errno) {
      before = try driver.scanout(of: crtc)
      try driver.takeMaster()
    } catch { throw DisplayError("take the display \(path)", error) }
    Log.display.info("took \(path), \(mode)")
  }

  /// Turns the display on in its mode, with this picture.
  func light(_ buffer: ScanoutBuffer) throws(Errno) {
    try driver.show(Scanout(framebuffer: buffer.framebuffer, mode: mode), on: crtc, connector: connector)
  }

  /// Restores the former picture, and lets other programs use the card. A second call does nothing.
  func close() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard isFirst else { return }
    // If this fails, the kernel shows its console when the card is closed.
    let shown = before.framebuffer == 0 ? Scanout(framebuffer: 0, mode: nil) : before
    try? driver.show(shown, on: crtc, connector: connector)
    driver.dropMaster()
    Log.display.info("gave \(path) back")
  }

  deinit { close() }
}
