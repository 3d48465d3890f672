// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The benchmarks are a separate package, so that users of SwiftWing need not build the benchmark framework.
let package = Package(
  name: "SwiftWingBenchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "SwiftWing", path: ".."),
    // The default traits are left out, because they would link jemalloc.
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

    // The pictures for the benchmarks, drawn by code or taken from the bundled corpora.
    .target(
      name: "Subjects",
      dependencies: [
        .product(name: "Imagery", package: "SwiftWing"), .product(name: "Charts", package: "SwiftWing"),
        .product(name: "Corpora", package: "SwiftWing"),
      ],
      swiftSettings: strict),
  ]
)
