/// Wakes a thread that waits on a device, from any thread (`eventfd(2)`).
public final class WakeSignal: Sendable {
  private let file: OpenFile

  /// - Throws: `.system` when the process has no descriptor left.
  public init(kernel: any Kernel = LinuxKernel()) throws(VideoDeviceError) {
    do throws(Errno) {
      file = OpenFile(try kernel.openEventCounter(), kernel: kernel)
    } catch {
      throw VideoDeviceError(error, .eventCounter, path: "this process")
    }
  }

  /// The waiting thread, or the next one to wait, returns at once with `.woken`. Never blocks.
  public func raise() { file.kernel.raiseEventCounter(file.descriptor) }

  /// Makes the next wait wait again.
  public func clear() { file.kernel.clearEventCounter(file.descriptor) }

  var descriptor: Int32 { file.descriptor }
}
