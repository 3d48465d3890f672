// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nobody who uses or builds SwiftWing has to build this. `scripts/fuzz` builds it, because the
// sanitizers are chosen on the command line and SWIFTWING_FUZZING adds products for the modules that are none otherwise.
let package = Package(
  name: "SwiftWingFuzzing",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "SwiftWing", path: "..")],
  targets: [
    .target(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer",
        .product(name: "JSON", package: "SwiftWing"),
        .product(name: "Console", package: "SwiftWing"),
        .product(name: "Settings", package: "SwiftWing"),
        .product(name: "Imagery", package: "SwiftWing"),
        .product(name: "Charts", package: "SwiftWing"),
        .product(name: "Corpora", package: "SwiftWing"),
        .product(name: "Capture", package: "SwiftWing"),
        .product(name: "Recording", package: "SwiftWing"),
        .product(name: "Replay", package: "SwiftWing"),
        .product(name: "Video4Linux", package: "SwiftWing"),
        .product(name: "Harness", package: "SwiftWing"),
        .product(name: "Qualification", package: "SwiftWing"),
        .product(name: "BookScan", package: "SwiftWing"),
        .product(name: "Bibliography", package: "SwiftWing"),
        .product(name: "Library", package: "SwiftWing"),
        .product(name: "Uploads", package: "SwiftWing"),
        .product(name: "Catalogue", package: "SwiftWing"),
        .product(name: "HTTPService", package: "SwiftWing"),
        .product(name: "TalariaServer", package: "SwiftWing"),
        .product(name: "RemoteControl", package: "SwiftWing"),
        .product(name: "Dock", package: "SwiftWing"),
      ],
      swiftSettings: strict),
  ]
)
