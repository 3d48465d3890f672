// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nobody who uses or builds SwiftWing has to build the benchmark framework.
let package = Package(
  name: "SwiftWingBenchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "SwiftWing", path: ".."),
    // Without its default traits, which would link jemalloc.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "SwiftWing",
      dependencies: [
        "Subjects",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Imagery", package: "SwiftWing"),
        .product(name: "Charts", package: "SwiftWing"),
        .product(name: "Corpora", package: "SwiftWing"),
        .product(name: "Harness", package: "SwiftWing"),
      ],
      path: "Benchmarks/SwiftWing",
      swiftSettings: strict,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),

    // What is measured: pictures made in code or taken from the bundled corpora.
    .target(
      name: "Subjects",
      dependencies: [
        .product(name: "Imagery", package: "SwiftWing"), .product(name: "Charts", package: "SwiftWing"),
        .product(name: "Corpora", package: "SwiftWing"),
      ],
      swiftSettings: strict),
  ]
)
