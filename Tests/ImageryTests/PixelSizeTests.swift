import Imagery
import Testing

@Suite struct PixelSizeTests {
  /// The printed form can be parsed.
  @Test(arguments: ["1024x768", "1024×768", "1024X768"]) func isReadAsItIsTypedAndAsItIsPrinted(text: String)
  {
    #expect(PixelSize(text) == PixelSize(width: 1024, height: 768))
    #expect(PixelSize(PixelSize(width: 3, height: 5).description) == PixelSize(width: 3, height: 5))
  }

  @Test(arguments: [
    "", "x", "1024", "1024x", "x768", "1024xx768", "1x2x3", "0x5", "5x0", "-1x5", "1 x 2", "axb",
    "99999999999999999999x1",
  ]) func nothingElseIs(text: String) {
    #expect(PixelSize(text) == nil)
  }
}
