import Imagery
import System
import Testing
import Video4Linux

@testable import Capture

/// The layout of buffers, computed from the driver's format before buffers are allocated.
@Suite struct V4L2LayoutTests {
  private func layout(
    _ pixelFormat: PixelFormat, _ fourCC: FourCC, bytesPerLine: Int = 0, field: FieldOrder = .none
  ) -> V4L2Layout? {
    let image = ImageFormat(
      pixelFormat: pixelFormat, size: PixelSize(width: 50, height: 36),
      color: ColorDescription(matrix: .bt709, range: .limited))
    let given = VideoFormat(
      fourCC: fourCC, size: FrameSize(width: 50, height: 36), field: field,
      planes: [PlaneLayout(bytesPerLine: bytesPerLine, sizeImage: 0)])
    return V4L2Layout(given, image: image)
  }

  /// Whether a field order interleaves lines of two moments. In a compressed picture, the decoder handles the fields.
  @Test(arguments: [
    (FieldOrder.none, false), (.any, false), (.interlaced, true), (.interlacedTopBottom, true),
    (.interlacedBottomTop, true),
  ])
  func interleavedFieldsAreTold(field: FieldOrder, isInterlaced: Bool) throws {
    #expect(try #require(layout(.yuyv, .yuyv, field: field)).isInterlaced == isInterlaced)
    #expect(try #require(layout(.mjpeg, .mjpeg, field: field)).isInterlaced == false)
  }

  /// Rows may be longer than necessary, but not shorter.
  @Test(arguments: [
    (PixelFormat.nv21, FourCC.nv21, 50), (.nv16, .nv16, 50), (.yv12, .yvu420, 50), (.uyvy, .uyvy, 100),
    (.yvyu, .yvyu, 100), (.rgb24, .rgb24, 150), (.bgr24, .bgr24, 150), (.xrgb, .argb32, 200),
  ])
  func rowsMustHoldAPicture(format: PixelFormat, fourCC: FourCC, bytes: Int) {
    #expect(layout(format, fourCC, bytesPerLine: bytes) != nil)
    #expect(layout(format, fourCC, bytesPerLine: bytes + 14) != nil)
    #expect(layout(format, fourCC, bytesPerLine: bytes - 2) == nil)
  }
}
