import Foundation
import Imagery
import Testing

/// Token counts that others published, measured, or computed from a rule. Each kind has one test, and each row of the file belongs
/// to one kind.
@Suite(.enabled(if: Pictures.hasData("image_tokens"))) struct TokenVectorTests {
  private typealias Row = [String: Any]

  private func rows(_ path: String...) throws -> [Row] {
    let file = try JSONSerialization.jsonObject(with: Data(try Pictures.bytes("image_tokens/vectors.json")))
    let node = path.reduce(file as Any?) { ($0 as? Row)?[$1] }
    return try #require(node as? [Row], "\(path)")
  }

  private func profile(_ id: String) throws -> TokenProfile { try #require(TokenProfile.named(id), "\(id)") }

  private func size(_ row: Row) throws -> PixelSize {
    PixelSize(width: try #require(row["w"] as? Int), height: try #require(row["h"] as? Int))
  }

  private func pair(_ value: Any?) throws -> PixelSize {
    let sides = try #require(value as? [Int])
    return PixelSize(width: sides[0], height: sides[1])
  }

  /// Returns the profile for a row's model and detail.
  private func profile(of row: Row) throws -> TokenProfile {
    let model = try #require(row["model"] as? String)
    return try profile(
      (row["detail"] as? String) == "low" ? "\(model)-low" : model == "gpt-4.1" ? "gpt-4o" : model)
  }

  // MARK: Documented by the vendor

  @Test func anthropicDocuments() throws {
    for row in try rows("anthropic", "documented") {
      let profile = try profile(row["tier"] as? String == "standard" ? "claude" : "claude-high")
      #expect(try profile.seenSize(for: size(row)) == pair(row["resized"]))
      if let tokens = row["tokens"] as? Int { #expect(try profile.tokens(for: size(row)) == tokens) }
      // The cost of the unreduced picture.
      if let raw = row["raw_tokens"] as? Int {
        #expect(try self.profile("claude-high").tokens(for: size(row)) == raw)
      }
    }
  }

  @Test func anthropicDocumentedEarlier() throws {
    for row in try rows("anthropic", "legacy_w_h_750") {
      let (tokens, want) = (
        try profile("claude-legacy").tokens(for: size(row)), try #require(row["tokens"] as? Int)
      )
      // The vendor marks some counts as approximate. Some of those are rounded down.
      #expect(row["approx"] == nil ? tokens == want : abs(tokens - want) <= 1, "\(row)")
    }
  }

  @Test func openAIDocuments() throws {
    for row in try rows("openai", "documented") + rows("openai", "public_test_suite") {
      let want = try #require(row["tokens"] as? Int)
      guard (row["model"] as? String)?.hasPrefix("patch") == true else {
        #expect(try profile(of: row).tokens(for: size(row)) == want, "\(row)")
        continue
      }
      // The row counts patches. Each model has its own factor of tokens per patch.
      try expectPatches(want, of: size(row))
      if let steps = row["steps"] as? Row {
        #expect(try profile("gpt-4.1-mini").seenSize(for: size(row)) == pair(steps["final"]))
      }
    }
  }

  @Test func googleDocuments() throws {
    for row in try rows("gemini", "gemini_2", "documented") {
      #expect(try profile("gemini-2").tokens(for: size(row)) == row["tokens"] as? Int)
    }
    let file = try JSONSerialization.jsonObject(with: Data(try Pictures.bytes("image_tokens/vectors.json")))
    let resolutions = ["gemini", "gemini_3_media_resolution", "image"].reduce(file as Any?) {
      ($0 as? Row)?[$1]
    }
    for (name, tokens) in try #require(resolutions as? [String: Int]) where name != "unspecified" {
      let profile = try profile("gemini-3-\(name.replacing("_", with: "-"))")
      for side in [100, 1000, 4000] {
        #expect(profile.tokens(for: PixelSize(width: side, height: side * 3 / 4)) == tokens, "\(name)")
      }
    }
  }

  // MARK: Measured by others, each with up to ten tokens of text

  @Test func openAIMeasured() throws {
    // Exceptions, in which the service charges more than documented: the charged number, including text, and the documented number.
    let known = ["gpt-4.1-mini 4000×1474": (charged: 2498, documented: 2347)]
    for row in try rows("openai", "measured_by_third_parties_with_text_overhead") {
      let measured = try #require(row["prompt_tokens"] as? Int)
      let tokens = try profile(of: row).tokens(for: size(row))
      if let odd = known["\(row["model"] ?? "") \(try size(row))"] {
        #expect(measured == odd.charged && tokens == odd.documented, "\(row): \(tokens)")
      } else {
        #expect((8...10).contains(measured - tokens), "\(row): \(tokens)")
      }
    }
  }

  // MARK: Computed from the written rule

  @Test func theRuleGivesAnthropics() throws {
    for row in try rows("anthropic", "computed_by_us_from_the_rule") {
      for (tier, id) in [("standard", "claude"), ("high_res", "claude-high")] {
        let want = try #require(row[tier] as? Row)
        #expect(try profile(id).tokens(for: size(row)) == want["tokens"] as? Int, "\(id) \(row)")
        #expect(try profile(id).seenSize(for: size(row)) == pair(want["resized"]), "\(id) \(row)")
      }
    }
  }

  @Test func theRuleGivesOpenAIs() throws {
    for row in try rows("openai", "computed_by_us_from_the_rule") {
      for (key, id) in [("gpt4o_high", "gpt-4o"), ("gpt5_high", "gpt-5"), ("o3_high", "o3")] {
        #expect(try profile(id).tokens(for: size(row)) == row[key] as? Int, "\(id) \(row)")
      }
      try expectPatches(try #require(row["patches_1536"] as? Int), of: size(row))
    }
  }

  @Test func theRuleGivesGoogles() throws {
    for row in try rows("gemini", "gemini_2", "computed_by_us") {
      #expect(try profile("gemini-2").tokens(for: size(row)) == row["crop_unit_rule"] as? Int, "\(row)")
      #expect(try profile("seed").tokens(for: size(row)) == row["plain_768_rule"] as? Int, "\(row)")
    }
  }

  private static let patchModels = ["gpt-4.1-mini", "gpt-4.1-nano", "o4-mini"]

  /// Checks the token counts of each model that charges by patches.
  private func expectPatches(_ patches: Int, of size: PixelSize) throws {
    for (id, multiplier) in zip(Self.patchModels, [1.62, 2.46, 1.72]) {
      let want = Int((Double(patches) * multiplier).rounded())
      #expect(try profile(id).tokens(for: size) == want, "\(id) \(size)")
    }
  }
}
