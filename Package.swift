// swift-tools-version: 6.1
import FoundationEssentials
import PackageDescription

/// Strict imports and Swift 6 data-race safety for every target.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A toolchain may have no static standard library, or no more of it than its folder. This manifest runs with a library of the
/// toolchain's, and its map says where that is.
let hasStaticLibrary: Bool = {
  let name = "/pm/ManifestAPI/libPackageDescription.so"
  let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
  let library = maps.split(separator: "\n").first { $0.hasSuffix(name) }?.drop { $0 != "/" }
  return library.map {
    FileManager.default.fileExists(atPath: "\($0.dropLast(name.count))_static/linux/libswiftCore.a")
  } ?? true
}()

/// The viewfinder starts in about a millisecond because nothing is left for the dynamic linker to do.
/// Debug builds (tests, sanitizers) stay dynamic.
let fullyStatic: [LinkerSetting] = [
  .unsafeFlags(
    (hasStaticLibrary ? ["-static-executable"] : [])
      + [
        "-use-ld=lld", "-Xlinker", "--eh-frame-hdr", "-Xlinker", "--icf=all", "-Xlinker", "-O2",
      ], .when(configuration: .release))
]

/// Commands, options and words: nothing of it is done often, and there is much of it. Optimised it would be compiled for three times as long, last and
/// alone, and be 3 % smaller.
let quick: [SwiftSetting] = [
  .unsafeFlags(
    ["-Onone", "-assert-config", "Release", "-no-emit-module-separately-wmo"],
    .when(configuration: .release))
]

/// Without two megabytes of relocations and without names for others to link to, a program is smaller and loaded sooner.
let compact: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--icf=all",
      "-Xlinker", "-O2",
      "-Xlinker", "--no-export-dynamic",
    ],
    .when(configuration: .release))
]

/// Where Debian keeps the headers of Cairo and Pango, in the system that is compiled for. Not by pkg-config: GLib's `-pthread` makes SwiftPM warn at every build.
let drawing: [SwiftSetting] = [
  .unsafeFlags(
    [
      "pango-1.0", "glib-2.0", "harfbuzz", "freetype2", "libmount", "blkid", "fribidi", "cairo", "pixman-1",
      "../lib/x86_64-linux-gnu/glib-2.0/include", "../lib/aarch64-linux-gnu/glib-2.0/include",
    ].flatMap { ["-Xcc", "-iwithsysroot/usr/include/\($0)"] })
]

// Packages of others. All have one trait: SwiftPM hands the names of several to the compiler in an order that differs from one run to the next, and compiles
// everything anew then.
let full: TargetDependencyCondition = .when(traits: ["Full"])!
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: full)
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift", condition: full)
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache", condition: full)
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: full)
// This one without a condition: a program that uses `Capture` alone gets its log in the backend of its own.
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// The rooms of a floor are the folders in `Sources/FLOOR`. What is Swift is strict.
func floor(_ name: String, _ rooms: [Target]) -> [Target] {
  for room in rooms {
    room.path = "Sources/\(name)/\(room.name)"
    if name != "Doors" { room.swiftSettings = strict + (room.swiftSettings ?? []) }
  }
  return rooms
}

// C, and the libraries of the system: one each.
let doors = floor(
  "Doors",
  [
    .target(name: "CVideo4Linux"),
    .target(name: "CLinux"),
    .target(name: "CDRM"),
    // Where callgrind begins and ends to count.
    .target(name: "CCounting"),
    .target(name: "CMainThread"),
    // The photo path by hand in C on the same libraries: what ours is measured against (IMG-5).
    .target(name: "CPhotoFloor", linkerSettings: [.linkedLibrary("turbojpeg"), .linkedLibrary("yuv")]),
    .target(name: "CLoader", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "COpenVINO", dependencies: ["CLoader"]),
    .target(name: "CTesseract", dependencies: ["CLoader"]),
    .target(name: "CLibAV", dependencies: ["CLoader"]),
    .target(name: "CZXing", linkerSettings: [.linkedLibrary("ZXing")]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // Baseline JPEG at reduced sizes, faster than libjpeg-turbo; what it is not sure of is libjpeg-turbo's.
    .target(name: "CBaselineJPEG"),
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png16"), .linkedLibrary("z")]),
    // Loaded with the first picture whose colours are not sRGB's.
    .target(name: "CLittleCMS"),
    .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"])]),
    // The instructions that Swift's SIMD types cannot name.
    .target(name: "CPixelMath"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "CCurl", dependencies: ["CLoader"],
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CCairo", providers: [.apt(["libpango1.0-dev"])]),
  ])

let platform = floor(
  "Platform",
  [
    // What we ask of the operating system beside devices, each once: locks, threads, clocks, files, programs.
    .target(name: "System", dependencies: ["CLinux"]),
    // What a command says and writes.
    .target(name: "Console", dependencies: ["CLinux", "System"]),
    // One JSON value, and what reads and writes it.
    .target(name: "JSON", dependencies: ["System"]),
    // What the rooms say of themselves, and what becomes of it: lines, traces, the history of an error.
    .target(name: "Log", dependencies: ["CLinux", "System", "JSON", logging]),
  ])

let engine = floor(
  "Engine",
  [
    .target(name: "Video4Linux", dependencies: ["System", "Log", "CVideo4Linux"]),
    .target(
      name: "Imagery",
      dependencies: [
        "System", "JSON", "CBaselineJPEG", "CTurboJPEG", "CPNG", "CLittleCMS", "CYUV", "CPixelMath",
      ],
      resources: [.embedInCode("Embedded")]),
    .target(name: "Capture", dependencies: ["CLinux", "System", "Log", "Imagery", "Video4Linux"]),
    .target(name: "Recording", dependencies: ["CLibAV", "System", "Log", "Imagery", "Capture"]),
    // Screens without a desktop: the kernel's mode setting.
    .target(name: "Display", dependencies: ["CDRM", "System", "Log", "Imagery", "Video4Linux", "Capture"]),
    // What follows a subject and turns a camera that has motors.
    .target(name: "Dock", dependencies: ["System", "Log", "JSON", "Imagery", "Capture"]),
  ])

// Cameras that need no device.
let stage = floor(
  "Stage",
  [
    // Marks in pictures that tell which frame it is, and which way up.
    .target(name: "Charts", dependencies: ["Imagery"]),
    .target(name: "Corpora", dependencies: ["System", "Log", "JSON", "Imagery", "Charts", "CCrypto"]),
    .target(
      name: "Replay",
      dependencies: ["System", "Imagery", "Video4Linux", "Capture", "Charts", "Corpora"]),
    .target(name: "CorpusRecording", dependencies: ["System", "Imagery", "Capture", "Recording", "Corpora"]),
  ])

let bench = floor(
  "Bench",
  [
    .target(
      name: "Harness", dependencies: ["System", "JSON", histogram, mustache],
      resources: [.embedInCode("Embedded")]),
    // Runs over time, and where they changed.
    .target(name: "History", dependencies: ["Harness", "System", "CCrypto", database]),
    // What drives and watches an engine, and what is measured with it.
    .target(
      name: "Probes",
      dependencies: [
        "Charts", "CLinux", "CTurboJPEG", "CZXing", "System", "Harness", "Capture", "Corpora", "Replay",
        "Recording", "CorpusRecording", "Imagery", "Video4Linux",
      ]),
    // Two builds against each other, by turns and by slices of time, and the commits between them.
    .target(name: "Builds", dependencies: ["System", "Harness", "Probes"]),
    .target(
      name: "EngineScenarios",
      dependencies: [
        "Charts", "CPhotoFloor", "System", "Probes", "Harness", "Capture", "Corpora", "Replay", "Recording",
        "Dock", "Imagery",
      ]),
    .target(
      name: "DeviceScenarios",
      dependencies: [
        "Charts", "CLinux", "System", "Probes", "Harness", "Capture", "Recording", "Dock", "Imagery",
        "Video4Linux", "Display",
      ]),
    .target(
      name: "Qualification",
      dependencies: ["System", "CVideo4Linux", "Video4Linux", "Imagery", "Capture", "Harness", "Probes"],
      resources: [.embedInCode("Embedded")]),
  ])

let books = floor(
  "Books",
  [
    .target(
      name: "BookScan",
      dependencies: ["CLinux", "System", "Log", "Imagery", "CYUV", "COpenVINO", "CTesseract", "CZXing"]),
    // ISBNs, clean text, tables of books, and how much two words differ.
    .target(name: "Bibliography"),
    // What stands on a shelf, against the list of what should: pure functions of readings and holdings.
    .target(name: "ShelfReading", dependencies: ["Bibliography"]),
    // A user's books, what was seen of them, and the scans that are still on their way: one file.
    .target(name: "Library", dependencies: ["Bibliography", "System", "Log", "CCrypto", database]),
    // Scans to a backend, and their books into the library.
    .target(name: "Uploads", dependencies: ["Library", "Bibliography", "System", "Log", "CCurl", "CCrypto"]),
    .target(
      name: "Catalogue", dependencies: ["System", "Log", "JSON", "Bibliography", "CZlib", "CExpat", database]),
    .target(
      name: "ScanStation",
      dependencies: [
        "System", "Log", "Imagery", "Capture", "BookScan", "Bibliography", "Library", "Uploads",
      ]),
  ])

let viewfinder = floor(
  "Viewfinder",
  [
    // What users have chosen and saved, in files that every program reads and changes.
    .target(name: "Settings", dependencies: ["System", "Log", "JSON"]),
    // The one HTTP server of the house: connections, requests, WebSockets, TLS, and the limits of all of them.
    .target(name: "HTTPService", dependencies: ["System", "Log", "COpenSSL"]),
    // The page of the viewfinder: its parts, and the document that they make.
    .target(name: "ViewfinderPage", resources: [.embedInCode("Parts")]),
    // The viewfinder that a browser shows, and the channel by which it is controlled.
    .target(
      name: "RemoteControl",
      dependencies: [
        "CLinux", "System", "Log", "JSON", "Settings", "HTTPService", "ViewfinderPage", "Imagery", "Capture",
        "Recording", "Dock",
      ],
      resources: [.embedInCode("Embedded")]),
  ])

let programs = floor(
  "Programs",
  [
    // A backend that answers wrongly on demand.
    .target(name: "TalariaServer", dependencies: ["System", "HTTPService"]),
    // Paths whose instructions are counted.
    .target(
      name: "Counting",
      dependencies: [
        "CCounting", "JSON", "System", "Harness", "Probes", "EngineScenarios", "Capture", "Corpora", "Replay",
        "Recording", "Imagery", "BookScan", "Bibliography", "Library", "RemoteControl",
      ]),
    // What the bench starts in a process of its own: killed, on a full disk, at scale.
    .target(
      name: "Trials",
      dependencies: [
        "Console", "System", "EngineScenarios", "Probes", "Capture", "Corpora", "Replay", "Recording",
        "Imagery", "BookScan", "Library", "Uploads", "ScanStation", "TalariaServer", database,
      ],
      swiftSettings: quick),
    // The command line: one lean executable for the viewfinder, and one for everything else.
    .executableTarget(
      name: "swiftwing",
      dependencies: ["CMainThread", "System", "Log", "Capture", "Corpora", "Replay", "Imagery", "Display"],
      linkerSettings: fullyStatic),
    .executableTarget(
      name: "swiftwing-tool",
      dependencies: [
        "Charts", "Console", "JSON", "Settings", "System", "Log", "Qualification", "EngineScenarios",
        "DeviceScenarios", "Builds", "Probes", "Counting", "Harness", "History", "Capture", "Corpora",
        "Replay", "Recording", "CorpusRecording", "Imagery", "BookScan", "Bibliography", "Library", "Uploads",
        "Catalogue", "ShelfReading", "ScanStation", "HTTPService", "TalariaServer", "Trials", "RemoteControl",
        "Dock", "Display", database, argumentParser,
      ],
      swiftSettings: quick, linkerSettings: compact),
    // Damages, kills and replays for the scripts that prove something; it is not installed.
    .executableTarget(
      name: "swiftwing-trials",
      dependencies: [
        "Builds", "Charts", "Console", "System", "EngineScenarios", "Harness", "Probes", "Corpora", "Imagery",
        "BookScan", "Library", "Uploads", "ScanStation", "Trials", database, argumentParser,
      ],
      swiftSettings: quick, linkerSettings: compact),
    // Draws the bundled corpora; needed only to make them again.
    .executableTarget(
      name: "swiftwing-render",
      dependencies: ["Charts", "System", "Corpora", "Imagery", "CCairo", "CTurboJPEG"],
      swiftSettings: drawing, linkerSettings: compact),
  ])

/// The tests of a room, and what they need beside it.
func tests(_ room: String, _ others: Target.Dependency...) -> Target {
  .testTarget(name: "\(room)Tests", dependencies: [.byName(name: room)] + others, swiftSettings: strict)
}

/// What tests share.
func fixture(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let tool: Target.Dependency = "swiftwing-tool"
let checks: [Target] = [
  // A kernel for tests, with a camera in it.
  fixture("ScriptedKernel", "System", "Video4Linux", "CVideo4Linux"),
  // Pictures that tell a scripted recogniser what to do.
  fixture("ScriptedPhotos", "BookScan", "Imagery"),
  // Reports of turns as a build leaves them, and folders for them.
  fixture("RecordedTurns", "Harness", "System"),
  // What a thread allocates, counted.
  .target(name: "AllocationCount", path: "Tests/AllocationCount"),
  tests("System"),
  tests("JSON"),
  tests("Log", "JSON", "System"),
  tests("Settings", "JSON"),
  tests("Console", "System"),
  .testTarget(
    name: "ToolTests",
    dependencies: [
      tool, "ScriptedPhotos", "JSON", "System", "Settings", "Console", "Harness", "Probes",
      "EngineScenarios",
      "Corpora", "Imagery", "Capture", "Replay", "RemoteControl", "Recording", "BookScan", "Library",
      "Uploads", "Catalogue", "ShelfReading",
      "ScanStation", "HTTPService", "TalariaServer", database, argumentParser,
    ],
    swiftSettings: strict),
  tests(
    "Trials", "swiftwing-trials", "RecordedTurns", "Harness", "EngineScenarios", "Probes", "System",
    "BookScan", "Library", "Uploads", "TalariaServer", database),
  tests("Video4Linux", "System", "CVideo4Linux", "ScriptedKernel"),
  tests("Imagery", "System", "CBaselineJPEG", "CPixelMath", "CTurboJPEG", "AllocationCount"),
  .testTarget(
    name: "CorporaTests", dependencies: ["Charts", "Corpora", "Imagery", "JSON", "swiftwing-render"],
    swiftSettings: strict + drawing, linkerSettings: compact),
  tests(
    "Capture", "Charts", "CLinux", "System", "Log", "Replay", "Imagery", "ScriptedKernel", "Video4Linux",
    "CVideo4Linux", "AllocationCount"),
  tests("Charts", "Imagery", "System", "CTurboJPEG"),
  tests("Replay", "Capture", "Corpora", "Imagery", "System"),
  tests("Recording", "Capture", "Corpora", "CorpusRecording", "Replay", "Imagery", "System"),
  tests("BookScan", "System", "Imagery", "ScriptedPhotos"),
  tests("Uploads", "Library", "Bibliography", "System", "HTTPService", "TalariaServer", database),
  tests("Catalogue", "Bibliography", "System", database),
  .testTarget(
    name: "ShelfReadingTests", dependencies: ["ShelfReading", "Bibliography"], exclude: ["Marks"],
    swiftSettings: strict),
  tests(
    "ScanStation", "System", "Capture", "BookScan", "Library", "Uploads", "Imagery", "Corpora", "Replay",
    "ScriptedPhotos", "HTTPService", "TalariaServer"),
  tests("Dock", "Capture", "Replay", "Corpora", "Imagery", "System", "JSON"),
  tests("Display", "Charts", "Capture", "Replay", "Imagery", "System", "Video4Linux"),
  tests("HTTPService", "System"),
  tests(
    "RemoteControl", "ViewfinderPage", "HTTPService", "JSON", "System", "Settings", "Capture", "Imagery",
    "Replay", "Recording", "Harness", "Dock"),
  tests("Harness", "System", "JSON"),
  tests("Builds", "RecordedTurns", "Harness", "System"),
  tests("History", "Harness", "System", database),
  .testTarget(name: "DoctorTests", dependencies: [tool, "Harness", "BookScan"], swiftSettings: strict),
  tests(
    "Qualification", "Counting", "EngineScenarios", "DeviceScenarios", "Probes", "Harness", "Imagery",
    "System",
    "Video4Linux", "CVideo4Linux", "ScriptedKernel"),
  tests(
    "Probes", "Charts", "Harness", "Capture", "Corpora", "Replay", "Imagery", "System", "Video4Linux",
    "CVideo4Linux", "ScriptedKernel"),
  tests(
    "EngineScenarios", "DeviceScenarios", "Probes", "Harness", "Capture", "Corpora", "Replay", "Recording",
    "Dock", "Imagery", "System"),
  tests("Counting", "Harness", "Probes"),
  tests("DeviceScenarios", "System", "Probes", "Harness", "Capture", "Imagery"),
]

let package = Package(
  name: "SwiftWing",
  products: [
    .library(name: "Capture", targets: ["Capture"]),
    // The rooms that the interface of a library names are libraries themselves; `scripts/floors` holds to it.
    .library(name: "Imagery", targets: ["Imagery"]),
    .library(name: "Video4Linux", targets: ["Video4Linux"]),
    .library(name: "System", targets: ["System"]),
    .library(name: "Charts", targets: ["Charts"]),
    .library(name: "Corpora", targets: ["Corpora"]),
    .library(name: "Replay", targets: ["Replay"]),
    .library(name: "Recording", targets: ["Recording"]),
    .library(name: "CorpusRecording", targets: ["CorpusRecording"]),
    .library(name: "BookScan", targets: ["BookScan"]),
    .library(name: "Bibliography", targets: ["Bibliography"]),
    .library(name: "Library", targets: ["Library"]),
    .library(name: "Uploads", targets: ["Uploads"]),
    .library(name: "Catalogue", targets: ["Catalogue"]),
    .library(name: "ScanStation", targets: ["ScanStation"]),
    .library(name: "Harness", targets: ["Harness"]),
    .executable(name: "swiftwing", targets: ["swiftwing"]),
    .executable(name: "swiftwing-tool", targets: ["swiftwing-tool"]),
  ],
  // A program that depends on SwiftWing with `traits: []` fetches swift-log alone, and has every library that needs no more.
  traits: [
    .default(enabledTraits: ["Full"]),
    .trait(
      name: "Full",
      description:
        "Library, Uploads, Catalogue, ScanStation, Harness and the executables, with the packages that they need"
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: doors + platform + engine + stage + bench + books + viewfinder + programs + checks
)

// `scripts/fuzz` reaches the readers of rooms that are no products, from a package of its own.
if Context.environment["SWIFTWING_FUZZING"] != nil {
  package.products += [
    "JSON", "Settings", "Console", "Qualification", "HTTPService", "TalariaServer", "RemoteControl",
    "Dock",
  ].map {
    .library(name: $0, targets: [$0])
  }
}

// `scripts/mutate` compiles the tests of one room alone; so may you, of several (`Capture,Log`), as `swift build --product SwiftWingPackageTests`.
if let rooms = Context.environment["SWIFTWING_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { $0.type == .test && !rooms.contains($0.name.dropLast(5)) }
}

// Tests spend their time in these rooms; compiled as in a release they take half as long. SwiftPM lets nobody have a flag of this kind in a package that
// it has fetched, so they are compiled like all else where SwiftWing is somebody's dependency; and with SWIFTWING_DEBUGGING set, to step through them.
let isFetched = ["/checkouts/", "/registry/"].contains { Context.packageDirectory.contains($0) }
if !isFetched, Context.environment["SWIFTWING_DEBUGGING"] == nil {
  let busy: Set = [
    "System", "JSON", "Log", "Imagery", "Video4Linux", "Capture", "Charts", "Corpora", "Replay", "Recording",
    "Dock",
    "Bibliography", "BookScan", "ShelfReading", "ScanStation", "Harness", "Probes", "swiftwing-render",
  ]
  for target in package.targets where busy.contains(target.name) {
    target.swiftSettings?.append(
      .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
  }
}
