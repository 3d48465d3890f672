import Imagery
import System
import Video4Linux

/// Keeps the mapped memory until the last picture in it is released, even if the camera is gone.
final class V4L2Lender: PixelBufferLender {
  private struct Place: Hashable {
    var buffer: Int
    var plane: Int
  }

  private let queue: BufferQueue
  /// The exported buffers. Each plane of a driver's buffer is exported at most once, and stays exported while the buffers exist.
  private let exports = Locked<[Place: SharedBuffer]>([:])

  init(queue: BufferQueue) { self.queue = queue }

  func takeBack(_ index: Int) { queue.giveBack(index) }

  func share(_ index: Int, planes: [Plane]) -> [SharedPlane]? {
    var shared: [SharedPlane] = []
    for plane in planes {
      let home = queue.buffers[index].planes.firstIndex { mapped in
        (0..<mapped.length).contains(plane.base - mapped.base)
      }
      guard let home, let descriptor = descriptor(of: Place(buffer: index, plane: home)) else { return nil }
      let offset = plane.base - queue.buffers[index].planes[home].base
      shared.append(SharedPlane(descriptor: descriptor, offset: offset))
    }
    return shared
  }

  private func descriptor(of place: Place) -> Int32? {
    exports.withLock { exports in
      if let known = exports[place] { return known.descriptor }
      guard let made = try? queue.export(place.buffer, plane: place.plane) else { return nil }
      exports[place] = made
      return made.descriptor
    }
  }
}
