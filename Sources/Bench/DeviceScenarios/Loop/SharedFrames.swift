import CLinux
import Capture
import Glibc
import Harness
import Imagery
import Probes
import System

/// LAT-1: a sink that accepts DMA-BUFs gets the driver's own memory.
struct SharedFrames: Scenario {
  let id = "latency.shared-frames"
  let suite = Suite.device
  let title = "Frames shared without a copy"
  let purpose =
    "A display or an encoder that reads the camera's own memory saves a copy of every frame, but it must get the right frame."
  let exampleFailure = "An engine that shares the buffer the driver is filling, not the one it filled."
  let requirements: [RequirementID] = ["LAT-1", "INT-6"]
  let rig: Rig
  private static let frames = 40

  /// Proves that memory with a byte that differs is not taken for the picture's rows, and that bytes between the rows are not compared.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var (first, second): ([UInt8], [UInt8]) = ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 7])
    let equal = first.withUnsafeMutableBytes { bytes in
      let plane = Plane(base: bytes.baseAddress!, bytesPerRow: 3, height: 2)
      return (
        SharedMemory.isSame(plane, width: 3, as: UnsafeRawPointer(bytes.baseAddress!)),
        second.withUnsafeMutableBytes {
          SharedMemory.isSame(plane, width: 3, as: UnsafeRawPointer($0.baseAddress!))
        },
        second.withUnsafeMutableBytes {
          SharedMemory.isSame(plane, width: 2, as: UnsafeRawPointer($0.baseAddress!))
        }
      )
    }
    guard equal == (true, false, true) else { return .failed("a byte that differs was not seen") }
    return .passed("a byte that differs was seen, and one between the rows was not looked at")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard let specification = rig.specification, specification.hasPrefix("/dev/") else {
      throw Unsupported("only a device has buffers to share; name one: `--source /dev/video0`")
    }
    let source = try rig.source(orBundled: specification)
    let before = await ProcessFootprint.lasting()
    let (same, different, buffers) = try await onOwnThread { try look(at: source) }
    return observation(same, different, buffers: buffers, before: before, after: await .lasting())
  }

  private func look(at source: any CameraSource) throws -> (same: Int, different: Int, buffers: Int) {
    let camera = try source.makeCamera(clock: SystemClock())
    defer { camera.close() }
    guard let format = SessionConfiguration().chooseFormat(try camera.open().formats) else {
      throw Unsupported("\(source.specification) offers no format that can be read; name another source")
    }
    _ = try camera.prepare(format)
    try camera.start()
    defer { camera.stop() }
    var (same, different, descriptors): (Int, Int, Set<Int32>) = (0, 0, [])
    let deadline = MonotonicTime.now() + .seconds(20)
    while same + different < Self.frames, MonotonicTime.now() < deadline {
      guard case .frame(let captured) = try camera.next(until: deadline, wake: WakeSignal()) else { continue }
      guard let shared = captured.image.shared() else {
        throw Unsupported("the driver of \(source.specification) shares no buffers; name another device")
      }
      descriptors.formUnion(shared.map(\.descriptor))
      if try SharedMemory.holds(captured.image, shared) { same += 1 } else { different += 1 }
    }
    return (same, different, descriptors.count)
  }

  func observation(
    _ same: Int, _ different: Int, buffers: Int, before: ProcessFootprint, after: ProcessFootprint
  ) -> Observation {
    Observation(checks: [
      Check(
        id: "\(id).same", title: "A shared buffer holds the frame, byte for byte",
        passed: different == 0 && same == Self.frames, subjects: same + different,
        detail: "\(same) frames in \(buffers) shared buffers, \(different) with other bytes",
        requirement: "LAT-1"),
      Check(
        id: "\(id).closed", title: "Shared buffers are closed with the camera",
        passed: after.descriptors <= before.descriptors && after.videoMappings == before.videoMappings,
        subjects: buffers,
        detail: "\(before.descriptors) descriptors before, \(after.descriptors) after", requirement: "INT-6"),
    ])
  }
}

/// The memory of a DMA-BUF as another program sees it.
enum SharedMemory {
  /// Returns whether the shared memory holds every row of the picture.
  /// - Throws: `LaunchError` if the memory cannot be mapped.
  static func holds(_ image: PixelBuffer, _ shared: [SharedPlane]) throws -> Bool {
    let widths =
      image.format.pixelFormat.isCompressed
      ? [image.planes[0].byteCount] : try image.format.planeLayout().map(\.bytesPerRow)
    for ((plane, place), width) in zip(zip(image.planes, shared), widths) {
      let length = place.offset + plane.bytesPerRow * (plane.height - 1) + width
      let base = mmap(nil, length, PROT_READ, MAP_SHARED, place.descriptor, 0)
      guard let base, base != MAP_FAILED else {
        throw LaunchError("the shared buffer", errno, remedy: "update the kernel or report the driver")
      }
      defer { munmap(base, length) }
      _ = linux_dmabuf_reading(place.descriptor, true)
      defer { _ = linux_dmabuf_reading(place.descriptor, false) }
      guard isSame(plane, width: width, as: UnsafeRawPointer(base) + place.offset) else { return false }
    }
    return true
  }

  static func isSame(_ plane: Plane, width: Int, as other: UnsafeRawPointer) -> Bool {
    (0..<plane.height).allSatisfy { row in
      memcmp(plane.base + row * plane.bytesPerRow, other + row * plane.bytesPerRow, width) == 0
    }
  }
}
