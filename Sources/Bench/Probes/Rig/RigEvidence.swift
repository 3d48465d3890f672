package import Harness

extension Rig {
  /// The evidence level of times measured on this source: a driver stamps real frames, a recording or a drawn scene only plays them. Levels are never
  /// compared with each other.
  package var evidence: EvidenceLevel {
    specification?.hasPrefix("/dev/") ?? false ? .buffer : .synthetic
  }
}
