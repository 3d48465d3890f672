// swift-tools-version: 6.1
import PackageDescription

// `swift build` here builds the programs against the checkout around them. In a package of your own, write the address that you cloned SwiftWing
// from and a version: .package(url: "https://…/SwiftWing", from: "0.1.0"). `scripts/examples` builds them so, by version.
// ShelfToLibrary needs packages of others; the other two programs need none: with `traits: []` they fetch no other package.
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
