// swift-tools-version: 6.1
import PackageDescription

// A package as anybody would write it. `scripts/examples` builds and runs it against this working tree: a mirror leads SwiftPM from the address
// below to a local repository, whose tag is 0.1.0. In a package of your own, write the address that you cloned SwiftWing from.
let package = Package(
  name: "Examples",
  dependencies: [
    .package(url: "https://swiftwing.example/SwiftWing", from: "0.1.0")
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
        .product(name: "Delivery", package: "SwiftWing"),
        .product(name: "Imagery", package: "SwiftWing"),
      ]),
  ]
)
