import Harness
import Imagery
import Probes
import Testing

@testable import EngineScenarios

@Suite struct PeerPhotoTests {
  private func entry(_ name: String, _ change: (inout PeerPhotoFindings.Entry) -> Void = { _ in })
    -> PeerPhotoFindings.Entry
  {
    var entry = PeerPhotoFindings.Entry(
      name: name, package: "\(name)-tools", version: "\(name) 1", times: [30, 40, 50], bytes: 1000,
      likeness: 36,
      memory: 1 << 20)
    change(&entry)
    return entry
  }

  private func observation(_ peer: PeerPhotoFindings.Entry) -> Observation {
    PeerPhotoFindings(
      rounds: 3, size: PixelSize(width: 1024, height: 768),
      ours: entry("swiftwing") { $0.times = [15, 10, 25] },
      peers: [peer]
    ).observation
  }

  @Test func aRoundIsComparedWithItself() {
    let ratio = observation(entry("gm")).metrics.first { $0.id == "peers-photo.gm.ratio" }
    #expect(ratio?.samples == [0.5, 0.25, 0.5])
    #expect(observation(entry("gm")).checks.allSatisfy { $0.passed })
  }

  @Test func whoMakesAnotherPhotoOrNoneIsTold() {
    func red(_ change: (inout PeerPhotoFindings.Entry) -> Void) -> [String] {
      observation(entry("gm", change)).checks.filter { !$0.passed }.map(\.id)
    }
    #expect(red { $0.likeness = nil } == ["peers-photo.gm.made"])
    #expect(red { $0.likeness = 12 } == ["peers-photo.gm.made"])
    #expect(red { $0.times = [30, 40] } == ["peers-photo.gm.made"])
    #expect(red { _ in } == [])
  }

  @Test func whatIsNotInstalledIsALackAndNoFailure() {
    let missing = observation(PeerPhotoFindings.Entry(name: "gm", package: "graphicsmagick"))
    #expect(missing.checks.map(\.id) == ["peers-photo.swiftwing.made"])
    let theirs = missing.metrics.filter { $0.id.hasPrefix("peers-photo.gm.") }
    #expect(theirs.count == 5)
    #expect(
      theirs.allSatisfy { $0.lack == "gm is not installed; install it with: apt-get install graphicsmagick" })
    let untold = observation(entry("gm") { $0.memory = nil }).metrics.first {
      $0.id == "peers-photo.gm.memory"
    }
    #expect(untold?.lack?.hasPrefix("GNU time is not installed") == true)
  }

  @Test func theTableHasALineForEveryoneThatIsThere() {
    let findings = PeerPhotoFindings(
      rounds: 3, size: PixelSize(width: 1024, height: 768), ours: entry("swiftwing"),
      peers: [entry("gm") { $0.likeness = nil }, PeerPhotoFindings.Entry(name: "ffmpeg", package: "ffmpeg")])
    #expect(
      findings.table.split(separator: "\n").map(String.init) == [
        "                       time     memory       file   likeness",
        "swiftwing           40.0 ms       1 MB       1 kB    36.0 dB",
        "gm                  40.0 ms       1 MB       1 kB    another",
      ])
  }

  @Test(arguments: [
    (
      "Version: ImageMagick 6.9.11-60 Q16 x86_64 2021-01-25 https://imagemagick.org\nmore",
      "ImageMagick 6.9.11-60 Q16 x86_64"
    ),
    ("GraphicsMagick 1.3.40 2023-01-14 Q16 http://www.GraphicsMagick.org/", "GraphicsMagick 1.3.40"),
    ("ffmpeg version 5.1.9 Copyright (c) 2000-2026 the FFmpeg developers", "ffmpeg version 5.1.9"),
    ("vips 8.14.1", "vips 8.14.1"), ("", "of unknown version"), ("https://only", "of unknown version"),
  ])
  func aVersionIsOneShortLine(said: String, name: String) { #expect(Peer.name(said) == name) }

  @Test func aPeerIsTimedAndItsMemoryTold() async throws {
    let sleeper = Peer(name: "sleep", package: "coreutils", arguments: ["0.02"], versionOption: "--version")
    let (time, memory) = try await onOwnThread { (try sleeper.run(), try sleeper.peakMemory()) }
    let taken = try #require(time)
    #expect(taken >= 20)
    // The peak memory is nil if GNU time is not installed. It must be the peer's, not that of this process, which is larger.
    #expect(memory ?? 1 << 20 < 20 << 20)
  }
}
