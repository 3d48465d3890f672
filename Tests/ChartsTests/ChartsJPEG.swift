import CTurboJPEG
import Imagery
import Testing

extension TestPicture {
  /// Returns the picture as grey after JPEG compression and decompression by TurboJPEG.
  func throughJPEG(quality: Int32) throws -> TestPicture {
    let (width, height) = (Int32(format.size.width), Int32(format.size.height))
    let compressor = try #require(tjInitCompress())
    defer { tjDestroy(compressor) }
    let decompressor = try #require(tjInitDecompress())
    defer { tjDestroy(decompressor) }
    var jpeg: UnsafeMutablePointer<UInt8>?
    defer { tjFree(jpeg) }
    var size: UInt = 0
    let source = memory.assumingMemoryBound(to: UInt8.self)
    try #require(
      tjCompress2(
        compressor, source, width, 0, height, Int32(TJPF_GRAY.rawValue), &jpeg, &size,
        Int32(TJSAMP_GRAY.rawValue),
        quality, 0) == 0)
    let result = TestPicture(format.size)
    let target = result.memory.assumingMemoryBound(to: UInt8.self)
    try #require(
      tjDecompress2(decompressor, jpeg, size, target, width, 0, height, Int32(TJPF_GRAY.rawValue), 0) == 0)
    return result
  }
}
