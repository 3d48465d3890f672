import Imagery
import Testing

/// Files of token profiles that users write.
@Suite struct TokenFileTests {
  private func file(_ rule: String, id: String = "mine", asOf: String = "2026-11-23") -> [UInt8] {
    Array(
      """
      {"schema": "swiftwing-tokens/1", "profiles": [{"id": "\(id)", "vendor": "Us", "title": "Our model",
       "source": "price list", "asOf": "\(asOf)", "rule": \(rule)}]}
      """.utf8)
  }

  @Test(arguments: [
    (#"{"kind": "grid", "side": 512, "tokens": 100}"#, 400),
    (#"{"kind": "crop-units"}"#, 1032), (#"{"kind": "flat", "tokens": 7}"#, 7),
    (#"{"kind": "flat", "tokens": 8, "side": 512}"#, 8),
    (#"{"kind": "area", "pixels": 750, "edge": 1568, "tokens": 1640}"#, 1049),
    (#"{"kind": "tiles", "base": 85, "tile": 170}"#, 765),
    (#"{"kind": "patches", "cap": 1536, "hundredths": 100}"#, 768),
    (#"{"kind": "patches", "cap": 1536, "hundredths": 120}"#, 922),
    (#"{"kind": "patches", "cap": 1536, "side": 512, "hundredths": 120, "rounding": "up"}"#, 231),
    (#"{"kind": "padded-patches", "edge": 1568, "tokens": 1568}"#, 1036),
    (#"{"kind": "smart-resize", "factor": 32, "least": 65536, "most": 16777216}"#, 768),
  ]) func everyRuleIsRead(rule: String, tokens: Int) throws {
    let profile = try #require(try TokenProfile.read(file(rule)).first)
    #expect(profile.id == "mine" && profile.vendor == "Us" && profile.asOf == "2026-11-23")
    #expect(profile.tokens(for: PixelSize(width: 1024, height: 768)) == tokens)
  }

  @Test(arguments: [
    ("", "it ends too early"), ("[]", "must be an object"), (#"{"profiles": []}"#, "schema is missing"),
    (#"{"schema": "swiftwing-tokens/2", "profiles": []}"#, "schema must be swiftwing-tokens/1"),
    (#"{"schema": "swiftwing-tokens/1"}"#, "profiles is missing"),
    (#"{"schema": "swiftwing-tokens/1", "profiles": [{}]}"#, "profiles[0].id is missing"),
  ]) func aBrokenFileSaysWhatIsWrong(text: String, reason: String) {
    #expect { try TokenProfile.read(Array(text.utf8)) } throws: { "\($0)".contains(reason) }
  }

  @Test(arguments: [
    (#"{"kind": "square"}"#, "rule.kind must be one of grid"),
    (#"{"kind": "grid", "side": 1, "tokens": 1}"#, "rule.side must be a whole number from 16"),
    (#"{"kind": "grid", "side": 768, "tokens": 9000000000}"#, "rule.tokens must be"),
    (#"{"kind": "smart-resize", "factor": 28, "least": 5000, "most": 400}"#, "rule.least must be at most"),
    (
      #"{"kind": "patches", "cap": 9, "hundredths": 120, "rounding": "down"}"#,
      "rule.rounding must be one of nearest"
    ),
  ]) func aRuleThatMakesNoSenseIsRefused(rule: String, reason: String) {
    #expect { try TokenProfile.read(file(rule)) } throws: { "\($0)".contains("profiles[0].\(reason)") }
  }

  @Test func idsAndDaysAreChecked() {
    let flat = #"{"kind": "flat", "tokens": 7}"#
    for id in ["", "My Model", "a/b", "ü", String(repeating: "a", count: 41)] {
      #expect(throws: TokenFileError.self, "\(id)") { try TokenProfile.read(file(flat, id: id)) }
    }
    for day in ["", "today", "2026-13-01", "2026-1-1", "26-11-2300"] {
      #expect(throws: TokenFileError.self, "\(day)") { try TokenProfile.read(file(flat, asOf: day)) }
    }
  }

  /// The largest allowed numbers do not overflow for the largest picture that the command accepts.
  @Test(arguments: [
    #"{"kind": "grid", "side": 16, "tokens": 1000000}"#,
    #"{"kind": "tiles", "base": 1000000, "tile": 1000000}"#,
    #"{"kind": "flat", "tokens": 1000000, "side": 16}"#,
    #"{"kind": "area", "pixels": 1, "edge": 100000, "tokens": 1000000}"#,
    #"{"kind": "area", "pixels": 1000000, "edge": 28, "tokens": 1}"#,
    #"{"kind": "patches", "cap": 1000000, "hundredths": 1000000}"#,
    #"{"kind": "padded-patches", "edge": 100000, "tokens": 1000000}"#,
    #"{"kind": "smart-resize", "factor": 10000, "least": 1, "most": 1000000000}"#,
    #"{"kind": "smart-resize", "factor": 1, "least": 1000000000, "most": 1000000000}"#,
  ]) func nothingOverflows(rule: String) throws {
    let profile = try #require(try TokenProfile.read(file(rule)).first)
    for size in [(1_000_000, 1_000_000), (1_000_000, 1), (1, 1), (1, 1_000_000)] {
      #expect(profile.tokens(for: PixelSize(width: size.0, height: size.1)) > 0)
    }
  }

  /// IMG-1 and IMG-2: a photo's longer side has at most 1024 pixels, and the photo costs at most 516 tokens by the seed's table,
  /// for every shape of frame.
  @Test(arguments: [
    (4000, 3000, 1024, 768), (3000, 4000, 768, 1024), (1920, 1080, 1024, 576), (1280, 1024, 960, 768),
    (1000, 1000, 768, 768), (1024, 819, 960, 768), (640, 480, 640, 480),
  ]) func anOrdinaryPhotoIsWithinTheSeedsTokens(width: Int, height: Int, across: Int, down: Int) throws {
    let size = try PhotoSettings().targetSize(for: PixelSize(width: width, height: height))
    #expect(size == PixelSize(width: across, height: down))
    #expect(try #require(TokenProfile.named("seed")).tokens(for: size) <= 516)
  }

  /// An explicitly requested size is not reduced.
  @Test func aSizeThatIsAskedForHasNoCeiling() throws {
    let size = PixelSize(width: 1280, height: 1024)
    #expect(try PhotoSettings(longSide: 1024).targetSize(for: size) == PixelSize(width: 1024, height: 819))
  }
}
