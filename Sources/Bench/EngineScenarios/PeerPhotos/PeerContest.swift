import Harness
import Imagery
import Probes
import System

import struct Foundation.Data
import struct Foundation.URL

/// All programs make the photo of one errand, in turns.
struct PeerContest: Sendable {
  let errand: PhotoErrand
  /// The file that photos are made from.
  let still: [UInt8]
  let ours: Peer
  let peers: [Peer]

  /// - Parameter rounds: the number of rounds, after a first one that loads the files into memory.
  func run(rounds: Int) throws -> Observation {
    let versions = try peers.map { try $0.version() }
    let installed = zip(peers, versions).filter { $1 != nil }.map(\.0)
    var times: [String: [Double]] = [:]
    for round in 0...rounds {
      try Task.checkCancellation()
      for program in [ours] + installed {
        guard let time = try program.run(), round > 0 else { continue }
        times[program.id, default: []].append(time)
      }
    }
    let original = Original(try ReferencePicture(file: still))
    let own = try entry(ours, "swiftwing photo", times: times, original: original)
    let others = try zip(peers, versions).map { try entry($0, $1, times: times, original: original) }
    return PeerPhotoFindings(rounds: rounds, size: errand.size, ours: own, peers: others).observation
  }

  /// - Parameter version: nil if the program is not installed.
  private func entry(
    _ program: Peer, _ version: String?, times: [String: [Double]], original: Original
  ) throws -> PeerPhotoFindings.Entry {
    guard let version else { return .init(name: program.id, package: program.package) }
    let photo = (try? Data(contentsOf: URL(filePath: errand.photo(by: program.id)))).map { [UInt8]($0) } ?? []
    return .init(
      name: program.id, package: program.package, version: version, times: times[program.id] ?? [],
      bytes: photo.isEmpty ? nil : photo.count,
      likeness: photo.isEmpty ? nil : original.likeness(of: photo, size: errand.size),
      memory: try program.peakMemory())
  }
}

/// The results of the rounds.
struct PeerPhotoFindings: Sendable {
  struct Entry: Sendable {
    let name: String
    /// The Debian packages with the program.
    let package: String
    /// The version. Nil if the program is not installed.
    var version: String?
    /// Milliseconds from start to end of the process, for the rounds in which it succeeded.
    var times: [Double] = []
    /// Size of the photo, in bytes. Nil without a photo.
    var bytes: Int?
    /// Likeness of the photo to the still, in dB. Nil if the photo is not upright or has another size.
    var likeness: Double?
    /// Peak memory of the program, in bytes. Nil if the system does not report it.
    var memory: Int?
  }

  let rounds: Int
  let size: PixelSize
  let ours: Entry
  let peers: [Entry]

  var observation: Observation {
    var observation = figures
    observation.evidence.append(.text("Everyone's photo", table))
    return observation
  }

  private var figures: Observation {
    Observation(
      metrics: metrics(ours) + peers.flatMap { metrics($0) + [ratio($0)] },
      checks: ([ours] + peers).filter { $0.version != nil }.map(check),
      notes: [
        "Whole processes by turns, \(rounds) rounds after one to warm the caches: a JPEG of 12 megapixels, tagged to be turned, becomes an upright "
          + "one of \(size.height)×\(size.width) at quality 85 (ffmpeg: -q:v 4)."
      ])
  }

  private func metrics(_ entry: Entry) -> [Measurement] {
    let lack = lack(entry)
    func metric(
      _ part: String, _ title: String, unit: MeasurementUnit, samples: [Double], kind: MetricKind,
      lack: String?
    ) -> Measurement {
      Measurement(
        id: "peers-photo.\(entry.name).\(part)", title: "\(entry.version ?? entry.name): \(title)",
        unit: unit,
        polarity: unit == .decibels ? .higherIsBetter : .lowerIsBetter, level: .synthetic, kind: kind,
        samples: samples, lack: lack)
    }
    let untold =
      entry.memory == nil ? "GNU time is not installed; install it with: apt-get install time" : nil
    return [
      metric(
        "time", "start → ended, a photo written", unit: .milliseconds, samples: entry.times, kind: .timed,
        lack: lack),
      metric(
        "memory", "most memory held", unit: .bytes, samples: entry.memory.map { [Double($0)] } ?? [],
        kind: .observed,
        lack: lack ?? untold),
      metric(
        "likeness", "luma of its photo against the still", unit: .decibels,
        samples: entry.likeness.map { [$0] } ?? [],
        kind: .observed, lack: lack),
      metric(
        "bytes", "file size", unit: .bytes, samples: entry.bytes.map { [Double($0)] } ?? [], kind: .observed,
        lack: lack),
    ]
  }

  /// Returns our time ÷ that of the peer, round by round, so that the load of the machine affects both.
  private func ratio(_ peer: Entry) -> Measurement {
    let paired = peer.times.count == ours.times.count
    return Measurement(
      id: "peers-photo.\(peer.name).ratio",
      title: "time of swiftwing photo ÷ that of \(peer.version ?? peer.name)",
      unit: .ratio, level: .synthetic, kind: .timed,
      samples: paired ? zip(ours.times, peer.times).map { $0 / $1 } : [], lack: lack(peer))
  }

  /// A row for each program: the median time, the memory, the size of the file and its likeness.
  var table: String {
    let lines = ([ours] + peers).filter { $0.version != nil }.map { entry in
      let time = Summary(entry.times).map { "\(Self.rounded($0.median)) ms" } ?? "no photo"
      let memory = entry.memory.map { "\($0 / 1_000_000) MB" } ?? "not told"
      let bytes = entry.bytes.map { "\($0 / 1000) kB" } ?? "none"
      let likeness = entry.likeness.map { "\(Self.rounded($0)) dB" } ?? "another"
      return [entry.name, time, memory, bytes, likeness]
    }
    let all = [["", "time", "memory", "file", "likeness"]] + lines
    return all.map { cells in
      cells.enumerated().map { index, cell in
        let space = String(repeating: " ", count: max(0, (index == 0 ? 16 : 11) - cell.count))
        return index == 0 ? cell + space : space + cell
      }.joined()
    }.joined(separator: "\n")
  }

  private static func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private func lack(_ entry: Entry) -> String? {
    entry.version == nil
      ? "\(entry.name) is not installed; install it with: apt-get install \(entry.package)" : nil
  }

  private func check(_ entry: Entry) -> Check {
    let isRight = entry.likeness.map { $0 > 25 } ?? false
    return Check(
      id: "peers-photo.\(entry.name).made",
      title: "\(entry.name) makes the photo every time, upright and of that size",
      passed: entry.times.count == rounds && isRight, subjects: rounds,
      detail: "\(rounds - entry.times.count) of \(rounds) failed"
        + (isRight ? "" : "; what it wrote is not the requested photo"))
  }
}
