import Capture
import Imagery
import System
import Testing

@testable import Recording

/// Recordings from 10-bit cameras, with and without looks. ffmpeg decodes them, if it is installed.
@Suite struct TenBitTests {
  private static let negative = "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n"
  private static let hasDecoder =
    (try? ChildProcess.run("ffmpeg", ["-version"], keeping: 4096, errors: .nothing))?.end.status == 0
  private static let canJudge =
    hasDecoder && ((try? LibAV.load())?.hasEncoder("ffv1") ?? false)

  /// Returns a frame of a uniform grey.
  private func frame(_ format: PixelFormat, luma: UInt16, _ color: ColorDescription) throws -> Frame {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: format, size: PixelSize(width: 64, height: 48), color: color))
    for (index, plane) in image.planes.enumerated() {
      for place in 0..<plane.byteCount / 2 {
        let isLuma = index == 0 && (format == .p010 || place % 2 == 0)
        let code = isLuma ? luma : 512
        plane.base.storeBytes(of: code << 6, toByteOffset: place * 2, as: UInt16.self)
      }
    }
    return Frame(
      image: image, sequence: 0, exposureTime: MonotonicTime(nanoseconds: 1), exposureEdge: .startOfExposure,
      arrivalTime: MonotonicTime(nanoseconds: 2), orientation: .upright)
  }

  /// Returns two codes of a film's first picture: the first luma, and the Cb in the middle.
  private func codes(_ path: String, _ layout: String) throws -> (luma: Int, chroma: Int) {
    let said = try ChildProcess.run(
      "ffmpeg", ["-v", "error", "-i", "file:\(path)", "-f", "rawvideo", "-pix_fmt", layout, "-"],
      keeping: 1 << 20)
    let words = said.output.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    let luma = 64 * 48
    return (Int(words.first ?? 0), Int(words.dropFirst(luma + luma / 8).first ?? 0))
  }

  @Test(.enabled(if: canJudge), arguments: [PixelFormat.p010, .y210])
  func noneOfTenBitsIsLost(_ format: PixelFormat) async throws {
    let (folder, limited) = (Folder(), ColorDescription(matrix: .bt709, range: .limited))
    let settings = RecordingSettings(codec: .ffv1, hasThumbnail: false)
    let recording = try await RecordingOutput().record(
      [try frame(format, luma: 401, limited)], settings, to: folder("film.mov"))
    #expect(recording.progress.written == 1 && recording.failure == nil)
    let layout = format == .p010 ? "yuv420p10le" : "yuv422p10le"
    let found = try codes(folder("film.mov"), layout)
    #expect(found.luma == 401 && found.chroma == 512)
  }

  /// The code 603 is not a multiple of four, so it cannot come from eight bits.
  @Test(.enabled(if: canJudge), arguments: [PixelFormat.p010, .y210])
  func tenBitsMeetTheLookWhole(_ format: PixelFormat) async throws {
    let (folder, limited) = (Folder(), ColorDescription(matrix: .bt709, range: .limited))
    let look = try ColorLookup(cube: Array(Self.negative.utf8))
    let settings = RecordingSettings(codec: .ffv1, look: look, hasThumbnail: false)
    _ = try await RecordingOutput().record(
      [try frame(format, luma: 401, limited)], settings, to: folder("film.mov"))
    let layout = format == .p010 ? "yuv420p10le" : "yuv422p10le"
    let found = try codes(folder("film.mov"), layout)
    #expect(abs(found.luma - 603) <= 1 && abs(found.chroma - 512) <= 1, "\(found)")
    #expect(found.luma % 4 != 0)
  }

  @Test(
    .enabled(if: canJudge && RecordingCodec.available.contains(.hevc)),
    arguments: [PixelFormat.p010, .y210])
  func hevcHasTenBits(_ format: PixelFormat) async throws {
    let (folder, color) = (Folder(), ColorDescription(matrix: .bt2020, range: .limited))
    let settings = RecordingSettings(codec: .hevc, hasThumbnail: false)
    let recording = try await RecordingOutput().record(
      [try frame(format, luma: 401, color)], settings, to: folder("film.mp4"))
    #expect(recording.progress.written == 1 && recording.failure == nil)
    let said = try ChildProcess.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", "file:\(folder("film.mp4"))"],
      keeping: 4096)
    let layout = format == .p010 ? "yuv420p10le" : "yuv422p10le"
    #expect(String(decoding: said.output, as: UTF8.self).hasPrefix(layout))
    #expect(abs(try codes(folder("film.mp4"), layout).luma - 401) <= 2)
  }

  /// Codes of another range are converted to the file's range without rounding to 8 bits: (401 / 1023) × 876 + 64.
  @Test(.enabled(if: canJudge)) func anotherRangeIsChangedAtTenBits() async throws {
    let (folder, full) = (Folder(), ColorDescription(matrix: .bt709, range: .full))
    let settings = RecordingSettings(codec: .ffv1, hasThumbnail: false)
    _ = try await RecordingOutput().record(
      [try frame(.p010, luma: 401, full)], settings, to: folder("film.mov"))
    let found = try codes(folder("film.mov"), "yuv420p10le")
    #expect(abs(found.luma - 407) <= 1, "\(found)")
  }

  /// An application's own look may handle only 8 bits.
  @Test(.enabled(if: canJudge)) func whatNeedsEightBitsHasThem() async throws {
    let (folder, limited) = (Folder(), ColorDescription(matrix: .bt709, range: .limited))
    var settings = RecordingSettings(codec: .ffv1, hasThumbnail: false)
    settings.look = Negative()
    _ = try await RecordingOutput().record(
      [try frame(.p010, luma: 401, limited)], settings, to: folder("film.mov"))
    let found = try codes(folder("film.mov"), "yuv420p10le")
    #expect(abs(found.luma - 603) <= 8, "\(found)")
  }
}
