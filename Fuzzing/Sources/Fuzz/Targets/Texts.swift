import Foundation

@testable import Imagery
@testable import Library
@testable import Replay
@testable import Uploads

extension FuzzTarget {
  static let texts = [source, tokens, tokenFile, retryAfter, address]

  private static let source = FuzzTarget(
    name: "source", longest: 256,
    seeds: [
      "corpus:shelf-pan?format=NV12&speed=4&seconds=2&loop=1&pace=fast", "corpus:./x?",
      "simulated:1280x720@60?mount=90&front=1&frames=3&format=YUYV",
      "/dev/video0?format=mjpg&size=640x480&fps=30&mount=270&front=0",
    ].map { Array($0.utf8) }
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      let specification = try SourceSpecification(text)
      hold(specification.text == text, "another text")
      _ = try specification.makeSource(corpusRoots: [])
    } catch { hold(!"\(error)".isEmpty, "an error without a word") }
  }

  /// Counts tokens for any size that the command line accepts, and any budget. The best size is only searched for pictures of a
  /// camera's size, because the search takes time in proportion to the longer side.
  private static let tokens = FuzzTarget(
    name: "tokens", longest: 12, seeds: [[0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, 0]]
  ) { bytes in
    var input = InputReader(bytes)
    let size = PixelSize(width: 1 + Int(input.word() % 1_000_000), height: 1 + Int(input.word() % 1_000_000))
    let budget = Int(input.word() % 20_000)
    for profile in TokenProfile.all {
      hold(profile.tokens(for: size) > 0, "\(profile.id) costs nothing at \(size)")
      let seen = profile.seenSize(for: size)
      hold(seen.width > 0 && seen.height > 0, "\(profile.id) sees \(seen)")
      let picture = PixelSize(width: 1 + size.width % 4096, height: 1 + size.height % 4096)
      guard let best = profile.bestSize(for: picture, maxTokens: budget) else { continue }
      hold(profile.tokens(for: best) <= budget, "\(profile.id): \(best) of \(picture) is over \(budget)")
      hold(
        best.width <= picture.width && best.height <= picture.height,
        "\(profile.id): \(best) is over \(picture)")
    }
  }

  /// Reads a user's token profiles, and counts the tokens of pictures by them.
  private static let tokenFile = FuzzTarget(
    name: "token-file", longest: 8192, files: ["Profiles/tokens.json"]
  ) {
    bytes in
    for profile in (try? TokenProfile.read([UInt8](bytes))) ?? [] {
      for size in [(1_000_000, 1_000_000), (4000, 3000), (1, 1)] {
        hold(
          profile.tokens(for: PixelSize(width: size.0, height: size.1)) >= 0,
          "\(profile.id) costs less than nothing")
      }
    }
  }

  private static let retryAfter = FuzzTarget(
    name: "retry-after", longest: 64,
    seeds: [
      "120", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ].map { Array($0.utf8) }
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let now = Date(timeIntervalSince1970: 1_763_000_000)
    let seconds = RetryAfter.seconds(text, now: now)
    guard let date = HTTPDate.parse(text, now: now) else { return }
    // The years 0 to 9999.
    hold(abs(date.timeIntervalSince1970) < 260_000_000_000, "the date is \(date)")
    hold(seconds != nil, "a date that is no Retry-After")
  }

  private static let address = FuzzTarget(
    name: "address", longest: 512,
    seeds: ["https://example.org:8443/a/b?c#d", "http://[::1]/", "../x", "//host/y"].map { Array($0.utf8) }
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let base = WebAddress("https://example.org/a/b")
    for address in [WebAddress(text), base?.resolving(text)].compactMap(\.self) {
      hold(address.scheme == "http" || address.scheme == "https", "the scheme is \(address.scheme)")
      hold((0...65_535).contains(address.port) && !address.host.isEmpty, "it is \(address)")
      hold(
        WebAddress(address.text)?.origin == address.origin, "\(address.text) has another origin read again")
    }
  }
}
