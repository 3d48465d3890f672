import Video4Linux

/// `short-buffers`.
struct ShortBuffers: DriverLie {
  let victim: CameraMode

  func twist(_ call: DriverCall) throws(Errno) {
    guard call.request == .dequeueBuffer, call.client.isIn(victim) else { return }
    call.setBytesUsed(call.bytesUsed / 2)
  }
}

/// `corrupt-jpeg`: the start marker and the bytes after it are zero.
struct CorruptJPEG: DriverLie {
  let victim: CameraMode

  func twist(_ call: DriverCall) throws(Errno) {
    guard call.request == .dequeueBuffer, call.client.isIn(victim), let picture = call.picture else { return }
    for index in picture.indices.prefix(16) { picture[index] = 0 }
  }
}

/// `wrong-size-picture`: the frame header (ITU-T T.81, SOF0) states half the height.
struct WrongSizePicture: DriverLie {
  let victim: CameraMode

  func twist(_ call: DriverCall) throws(Errno) {
    guard call.request == .dequeueBuffer, call.client.isIn(victim), let picture = call.picture else { return }
    var place = 2
    while place + 9 < picture.count, picture[place] == 0xFF {
      if picture[place + 1] == 0xC0 {
        let height = UInt16(clamping: victim.size.height / 2)
        picture[place + 5] = UInt8(height >> 8)
        picture[place + 6] = UInt8(height & 0xFF)
        return
      }
      place += 2 + Int(picture[place + 2]) << 8 + Int(picture[place + 3])
    }
  }
}

/// `mirrored-mode`, for packed 4:2:2, NV12 and plain luma.
struct MirroredMode: DriverLie {
  let victim: CameraMode

  /// The formats that this lie can mirror.
  static let formats: [FourCC] = [.yuyv, .nv12, .grey]

  func twist(_ call: DriverCall) throws(Errno) {
    guard call.request == .dequeueBuffer, call.client.isIn(victim), let picture = call.picture else { return }
    let width = victim.size.width
    let stride = Int(call.client.bytesPerLine)
    guard stride > 0 else { return }
    let rows = min(
      picture.count / stride, victim.fourCC == .nv12 ? victim.size.height * 3 / 2 : victim.size.height)
    for row in 0..<rows {
      let line = row * stride
      switch victim.fourCC {
      case .yuyv: mirror(picture, line, groups: width / 2, of: 4, swapping: true)
      case .nv12 where row >= victim.size.height:
        mirror(picture, line, groups: width / 2, of: 2, swapping: false)
      default: mirror(picture, line, groups: width, of: 1, swapping: false)
      }
    }
  }

  /// Reverses the order of groups of bytes. In Y0 Cb Y1 Cr, the lumas are swapped as well.
  private func mirror(
    _ picture: UnsafeMutableRawBufferPointer, _ line: Int, groups: Int, of size: Int, swapping: Bool
  ) {
    var (left, right) = (line, line + (groups - 1) * size)
    while left < right {
      for byte in 0..<size { picture.swapAt(left + byte, right + byte) }
      left += size
      right -= size
    }
    guard swapping else { return }
    for group in 0..<groups { picture.swapAt(line + group * 4, line + group * 4 + 2) }
  }
}
