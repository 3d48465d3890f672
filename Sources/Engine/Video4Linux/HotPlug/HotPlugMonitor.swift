import Glibc
public import System

/// Listens to the kernel for video devices that come and go; needs no udev.
public final class HotPlugMonitor: Sendable {
  private let socket: OpenFile

  /// - Throws: `.permissionDenied` or `.system` if netlink is not available (in some containers).
  public init(kernel: any Kernel = LinuxKernel()) throws(VideoDeviceError) {
    do throws(Errno) {
      socket = OpenFile(try kernel.openDeviceEvents(), kernel: kernel)
    } catch {
      throw VideoDeviceError(error, .deviceEvents, path: "netlink")
    }
  }

  /// Takes the events since the last call, without waiting.
  public func pending() throws(VideoDeviceError) -> HotPlugNews {
    var news = HotPlugNews()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: HotPlugEvent.longestMessage, alignment: 8)
    defer { buffer.deallocate() }
    // Bounded, so that a storm of events cannot block the caller.
    for _ in 0..<4096 {
      do throws(Errno) {
        let datagram = try socket.kernel.receive(socket.descriptor, into: buffer)
        guard datagram.isFromKernel, datagram.length <= buffer.count else { continue }
        if let event = HotPlugEvent(message: buffer.prefix(max(0, datagram.length))) {
          news.events.append(event)
        }
      } catch {
        switch error {
        case .tryAgain: return news
        case .interrupted: continue
        case .noBufferSpace: news.isIncomplete = true
        default: throw VideoDeviceError(error, .deviceEvents, path: "netlink")
        }
      }
    }
    return news
  }

  /// Waits for a device event, for `wake`, or for `timeout`.
  /// - Returns: `.event` if there may be events, or `.woken`; empty after the time-out.
  public func wait(wake: WakeSignal? = nil, timeout: Duration? = nil) throws(VideoDeviceError) -> Readiness {
    do throws(Errno) {
      let result = try socket.wait(for: Int16(POLLIN), wake: wake, timeout: timeout)
      var readiness: Readiness = result.events != 0 ? [.event] : []
      if result.wake != 0 { readiness.insert(.woken) }
      return readiness
    } catch {
      throw VideoDeviceError(error, .poll, path: "netlink")
    }
  }
}

/// The events that a monitor has received.
public struct HotPlugNews: Hashable, Sendable {
  /// The events in order.
  public var events: [HotPlugEvent] = []
  /// Whether the kernel dropped events, so that the devices must be listed anew.
  public var isIncomplete = false
}
