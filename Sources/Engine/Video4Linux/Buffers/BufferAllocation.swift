import CVideo4Linux

/// The memory of a buffer queue. Each buffer is unmapped exactly once: by `unmap(_:)`, or otherwise by `deinit`.
///
/// `~Copyable`, so that no mapping has two owners.
struct BufferAllocation: ~Copyable {
  private(set) var buffers: [MappedBuffer] = []
  private var isMapped: [Bool] = []
  let kernel: any Kernel

  init(kernel: any Kernel) { self.kernel = kernel }

  deinit {
    for (buffer, isMapped) in zip(buffers, isMapped) where isMapped {
      for plane in buffer.planes { kernel.unmap(plane.base, length: plane.length) }
    }
  }

  mutating func append(_ planes: [MappedPlane]) {
    buffers.append(MappedBuffer(index: buffers.count, planes: planes))
    isMapped.append(true)
  }

  mutating func unmap(_ index: Int) {
    guard isMapped[index] else { return }
    isMapped[index] = false
    for plane in buffers[index].planes { kernel.unmap(plane.base, length: plane.length) }
  }
}

extension VideoDevice {
  /// `VIDIOC_REQBUFS`: requests `count` buffers; 0 frees all.
  /// - Returns: the number of buffers that the driver allocated.
  func requestBuffers(_ count: Int, _ type: BufferType) throws(VideoDeviceError) -> Int {
    var raw = v4l2_requestbuffers()
    raw.count = UInt32(clamping: count)
    raw.type = type.number
    raw.memory = V4L2_MEMORY_MMAP.rawValue
    try control(.requestBuffers, &raw, subject: "\(count) buffers")
    return Int(raw.count)
  }

  /// Whether another program has the stream. Requests zero buffers, which changes nothing.
  /// - Throws: `.disconnected` and the like; `.unsupported` if the device does not stream.
  public func isHeldByAnother() throws(VideoDeviceError) -> Bool {
    do throws(VideoDeviceError) { _ = try requestBuffers(0, bufferType()) } catch {
      guard error.reason == .busy else { throw error }
      return true
    }
    return false
  }

  /// Maps every plane of `count` buffers. On failure nothing stays mapped.
  func mapBuffers(_ count: Int, _ type: BufferType) throws(VideoDeviceError) -> BufferAllocation {
    let file = try openFile(for: .map)
    var allocation = BufferAllocation(kernel: kernel)
    for index in 0..<count {
      let places = try planePlaces(of: index, type)
      var planes: [MappedPlane] = []
      for place in places {
        do throws(Errno) {
          let base = try kernel.map(file.descriptor, length: place.length, offset: place.offset)
          planes.append(MappedPlane(base: base, length: place.length))
        } catch {
          for plane in planes { kernel.unmap(plane.base, length: plane.length) }
          throw VideoDeviceError(error, .map, path: path, subject: "buffer \(index), \(place.length) bytes")
        }
      }
      allocation.append(planes)
    }
    return allocation
  }

  /// The lengths and offsets for mapping the planes of a buffer (`VIDIOC_QUERYBUF`).
  private func planePlaces(
    of index: Int, _ type: BufferType
  ) throws(VideoDeviceError) -> [(length: Int, offset: Int64)] {
    let scratch = BufferScratch()
    var raw = scratch.buffer(index: index, type)
    try control(.queryBuffer, &raw, subject: "buffer \(index)")
    let places: [(length: Int, offset: Int64)] =
      type.isMultiplanar
      ? scratch.planes.prefix(Int(min(raw.length, 8))).map { (Int($0.length), Int64($0.m.mem_offset)) }
      : [(Int(raw.length), Int64(raw.m.offset))]
    guard (1...8).contains(places.count),
      places.allSatisfy({ (1...BufferQueue.longestPlane).contains($0.length) })
    else { throw fault(.queryBuffer, "buffer \(index) has no plane, an empty one or an absurdly long one") }
    return places
  }
}

/// A `v4l2_buffer` with room for the eight planes it may point to.
struct BufferScratch: ~Copyable {
  let planes: UnsafeMutableBufferPointer<v4l2_plane>

  init() {
    planes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
    planes.initialize(repeating: v4l2_plane())
  }

  deinit { planes.deallocate() }

  /// A cleared structure for `index`; in the multi-planar flavour its plane pointer refers to this scratch.
  func buffer(index: Int, _ type: BufferType) -> v4l2_buffer {
    var raw = v4l2_buffer()
    raw.index = UInt32(clamping: index)
    raw.type = type.number
    raw.memory = V4L2_MEMORY_MMAP.rawValue
    if type.isMultiplanar {
      planes.update(repeating: v4l2_plane())
      raw.m.planes = planes.baseAddress
      raw.length = UInt32(planes.count)
    }
    return raw
  }
}
