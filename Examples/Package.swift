// swift-tools-version: 6.1
import PackageDescription

// `swift build` in this folder builds the programs with the checkout around it. In your own package, write the address from which
// you cloned SwiftWing, and a version: .package(url: "https://…/SwiftWing", from: "0.1.0"). `scripts/examples` builds the programs
// in this way, by version. ShelfToLibrary needs packages of others. The other two programs need none: with `traits: []` they fetch
// no other package.
let package = Package(
  name: "Examples",
  dependencies: [
    .package(name: "SwiftWing", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "PreviewAndPhoto",
      dependencies: [
        .product(name: "Capture", package: "SwiftWing"),
        .product(name: "Imagery", package: "SwiftWing"),
        .product(name: "Replay", package: "SwiftWing"),
      ]),
    .executableTarget(
      name: "NativeFrames",
      dependencies: [
        .product(name: "Capture", package: "SwiftWing"),
        .product(name: "Imagery", package: "SwiftWing"),
        .product(name: "Replay", package: "SwiftWing"),
      ]),
    .executableTarget(
      name: "ShelfToLibrary",
      dependencies: [
        .product(name: "BookScan", package: "SwiftWing"),
        .product(name: "Library", package: "SwiftWing"),
        .product(name: "Imagery", package: "SwiftWing"),
      ]),
  ]
)
