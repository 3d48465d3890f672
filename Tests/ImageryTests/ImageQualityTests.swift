import Imagery
import Testing

@Suite struct ImageQualityTests {
  func luma(_ value: (Int, Int) -> Int) -> LumaImage {
    LumaImage(
      size: PixelSize(width: 64, height: 48),
      bytes: (0..<64 * 48).map { UInt8(clamping: value($0 % 64, $0 / 64)) })
  }

  @Test func psnrFollowsItsDefinition() throws {
    let (a, b) = (luma { x, _ in x }, luma { x, _ in x + 4 })
    #expect(abs(try #require(ImageQuality.psnr(a, b)) - 36.0896) < 1e-3)  // 10 log₁₀(255²/16)
    #expect(ImageQuality.psnr(a, a) == .infinity)
  }

  @Test func ssimIsOneForEqualsAndFallsWithNoise() throws {
    let a = luma { x, y in x * 2 + y }
    let slight = luma { x, y in x * 2 + y + Int(Pictures.noise(x, y, 0)) % 5 - 2 }
    let heavy = luma { x, y in Int(Pictures.noise(x, y, 1)) }
    #expect(ImageQuality.ssim(a, a) == 1)
    let (good, bad) = (try #require(ImageQuality.ssim(a, slight)), try #require(ImageQuality.ssim(a, heavy)))
    #expect(good > 0.7 && good < 1 && bad < 0.1)
  }

  /// For flat fields SSIM has a closed form: (2ab + C1) / (a² + b² + C1).
  @Test func ssimOfFlatFieldsIsLuminanceAlone() throws {
    let value = try #require(ImageQuality.ssim(luma { _, _ in 100 }, luma { _, _ in 120 }))
    let expected: Double = (24_000 + 6.5025) / (10_000 + 14_400 + 6.5025)
    #expect(abs(value - expected) < 1e-12)
  }

  @Test func sizesMustAgree() {
    let small = LumaImage(size: PixelSize(width: 1, height: 1), bytes: [1])
    #expect(
      ImageQuality.ssim(small, luma { _, _ in 1 }) == nil
        && ImageQuality.psnr(small, luma { _, _ in 1 }) == nil)
  }
}
