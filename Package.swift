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

/// Whether the toolchain has the static standard library; some have only its folder. This manifest is itself linked to a library of the
/// toolchain, and the process's memory map shows the path of that library.
let hasStaticLibrary: Bool = {
  let name = "/pm/ManifestAPI/libPackageDescription.so"
  let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
  let library = maps.split(separator: "\n").first { $0.hasSuffix(name) }?.drop { $0 != "/" }
  return library.map {
    FileManager.default.fileExists(atPath: "\($0.dropLast(name.count))_static/linux/libswiftCore.a")
  } ?? true
}()

/// The viewfinder is linked statically: it starts in about a millisecond, because the dynamic linker has nothing to do.
/// Debug builds (tests, sanitizers) stay dynamic.
let fullyStatic: [LinkerSetting] = [
  .unsafeFlags(
    (hasStaticLibrary ? ["-static-executable"] : [])
      + [
        "-use-ld=lld", "-Xlinker", "--eh-frame-hdr", "-Xlinker", "--icf=all", "-Xlinker", "-O2",
      ], .when(configuration: .release))
]

/// For the module of the commands: much code that runs once. With optimisation it would take three times as long to compile, after all other modules,
/// and be only 3 % smaller.
let quick: [SwiftSetting] = [
  .unsafeFlags(
    ["-Onone", "-assert-config", "Release", "-no-emit-module-separately-wmo"],
    .when(configuration: .release))
]

/// Packs two megabytes of relocations and exports no symbols, so that a program is smaller and loads sooner.
let compact: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--icf=all",
      "-Xlinker", "-O2",
      "-Xlinker", "--no-export-dynamic",
    ],
    .when(configuration: .release))
]

/// The folders of Cairo's and Pango's headers in Debian, in the system that is compiled for. pkg-config is not used, because SwiftPM would warn of
/// GLib's `-pthread` at every build.
let drawing: [SwiftSetting] = [
  .unsafeFlags(
    [
      "pango-1.0", "glib-2.0", "harfbuzz", "freetype2", "libmount", "blkid", "fribidi", "cairo", "pixman-1",
      "../lib/x86_64-linux-gnu/glib-2.0/include", "../lib/aarch64-linux-gnu/glib-2.0/include",
    ].flatMap { ["-Xcc", "-iwithsysroot/usr/include/\($0)"] })
]

// Packages of others, all under one trait: SwiftPM passes the names of several traits to the compiler in an order that differs from run to run, and
// then compiles everything again.
let full: TargetDependencyCondition = .when(traits: ["Full"])!
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: full)
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift", condition: full)
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache", condition: full)
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: full)
// swift-log has no condition: a program that uses `Capture` alone also gets its log, in the backend that it has chosen.
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// The modules of a layer, which are the folders in `Sources/LAYER`. Swift modules are compiled strictly.
func layer(_ name: String, _ modules: [Target]) -> [Target] {
  for module in modules {
    module.path = "Sources/\(name)/\(module.name)"
    if name != "Doors" { module.swiftSettings = strict + (module.swiftSettings ?? []) }
  }
  return modules
}

// One module for each library of the system, and for C code.
let doors = layer(
  "Doors",
  [
    .target(name: "CVideo4Linux"),
    .target(name: "CLinux"),
    .target(name: "CDRM"),
    // Marks where callgrind begins and ends to count.
    .target(name: "CCounting"),
    .target(name: "CMainThread"),
    // Photos, previews and looks in the shortest C on the same libraries, with which ours are compared (IMG-5).
    .target(name: "CPhotoFloor", linkerSettings: [.linkedLibrary("turbojpeg"), .linkedLibrary("yuv")]),
    .target(name: "CLoader", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "COpenVINO", dependencies: ["CLoader"]),
    .target(name: "CTesseract", dependencies: ["CLoader"]),
    .target(name: "CLibAV", dependencies: ["CLoader"]),
    .target(name: "CZXing", linkerSettings: [.linkedLibrary("ZXing")]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // Decodes baseline JPEG to reduced sizes, faster than libjpeg-turbo, and leaves doubtful pictures to libjpeg-turbo.
    .target(name: "CBaselineJPEG"),
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png16"), .linkedLibrary("z")]),
    // LittleCMS, loaded with the first picture whose colours are not sRGB.
    .target(name: "CLittleCMS"),
    .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"])]),
    // Operations that Swift's SIMD types lack.
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

let platform = layer(
  "Platform",
  [
    // Services of the operating system other than devices: locks, threads, clocks, files, programs.
    .target(name: "System", dependencies: ["CLinux"]),
    // The output of commands: texts, tables, files.
    .target(name: "Console", dependencies: ["CLinux", "System"]),
    // A JSON value, its parser and its writer.
    .target(name: "JSON", dependencies: ["System"]),
    // The log of all modules: lines, traces, the history of an error.
    .target(name: "Log", dependencies: ["CLinux", "System", "JSON", logging]),
  ])

let engine = layer(
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
    // Follows a subject, and turns a camera that has motors.
    .target(name: "Dock", dependencies: ["System", "Log", "JSON", "Imagery", "Capture"]),
  ])

// Cameras that need no device.
let stage = layer(
  "Stage",
  [
    // Marks in pictures: the frame's number, and which way is up.
    .target(name: "Charts", dependencies: ["Imagery"]),
    .target(name: "Corpora", dependencies: ["System", "Log", "JSON", "Imagery", "Charts", "CCrypto"]),
    .target(
      name: "Replay",
      dependencies: ["System", "Imagery", "Video4Linux", "Capture", "Charts", "Corpora"]),
    .target(name: "CorpusRecording", dependencies: ["System", "Imagery", "Capture", "Recording", "Corpora"]),
  ])

let bench = layer(
  "Bench",
  [
    .target(
      name: "Harness", dependencies: ["System", "JSON", histogram, mustache],
      resources: [.embedInCode("Embedded")]),
    // The history of runs, and the change points in it.
    .target(name: "History", dependencies: ["Harness", "System", "CCrypto", database]),
    // Drives, watches and measures an engine.
    .target(
      name: "Probes",
      dependencies: [
        "Charts", "CLinux", "CTurboJPEG", "CZXing", "System", "Harness", "Capture", "Corpora", "Replay",
        "Recording", "CorpusRecording", "Imagery", "Video4Linux",
      ]),
    // Compares two builds, by turns and by slices of time, and searches the commits between them.
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

let books = layer(
  "Books",
  [
    .target(
      name: "BookScan",
      dependencies: ["CLinux", "System", "Log", "Imagery", "CYUV", "COpenVINO", "CTesseract", "CZXing"]),
    // ISBNs, clean text, tables of books, and how much two words differ.
    .target(name: "Bibliography"),
    // Compares the books that were read on a shelf with a list of holdings: pure functions.
    .target(name: "ShelfReading", dependencies: ["Bibliography"]),
    // One file with a user's books, their sightings, and the queue of scans.
    .target(name: "Library", dependencies: ["Bibliography", "System", "Log", "CCrypto", database]),
    // Sends scans to a backend, and puts their books into the library.
    .target(name: "Uploads", dependencies: ["Library", "Bibliography", "System", "Log", "CCurl", "CCrypto"]),
    .target(
      name: "Catalogue", dependencies: ["System", "Log", "JSON", "Bibliography", "CZlib", "CExpat", database]),
    .target(
      name: "ScanStation",
      dependencies: [
        "System", "Log", "Imagery", "Capture", "BookScan", "Bibliography", "Library", "Uploads",
      ]),
  ])

let viewfinder = layer(
  "Viewfinder",
  [
    // Settings and presets of users, in files that all programs read and change.
    .target(name: "Settings", dependencies: ["System", "Log", "JSON"]),
    // The HTTP server of all modules: connections, requests, WebSockets, TLS, and their limits.
    .target(name: "HTTPService", dependencies: ["System", "Log", "COpenSSL"]),
    // The page of the viewfinder: its parts, and the document that is made of them.
    .target(name: "ViewfinderPage", resources: [.embedInCode("Parts"), .embedInCode("Install")]),
    // The viewfinder in a browser, and its control channel.
    .target(
      name: "RemoteControl",
      dependencies: [
        "CLinux", "System", "Log", "JSON", "Settings", "HTTPService", "ViewfinderPage", "Imagery", "Capture",
        "Recording", "Dock",
      ],
      resources: [.embedInCode("Embedded")]),
  ])

let programs = layer(
  "Programs",
  [
    // A reference backend, which answers wrongly on request.
    .target(name: "TalariaServer", dependencies: ["System", "HTTPService"]),
    // Paths whose instructions are counted.
    .target(
      name: "Counting",
      dependencies: [
        "CCounting", "JSON", "System", "Harness", "Probes", "EngineScenarios", "Capture", "Corpora", "Replay",
        "Recording", "Imagery", "BookScan", "Bibliography", "Library", "RemoteControl",
      ]),
    // Trials that the bench runs in a process of their own: kills, full disks, large inputs.
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
    // Damages files, kills processes and replays records for the proving scripts; it is not installed.
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

/// The tests of a module. `others` are further modules that they use.
func tests(_ module: String, _ others: Target.Dependency...) -> Target {
  .testTarget(name: "\(module)Tests", dependencies: [.byName(name: module)] + others, swiftSettings: strict)
}

/// A module that tests share.
func fixture(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let tool: Target.Dependency = "swiftwing-tool"
let checks: [Target] = [
  // A simulated kernel with a camera, for tests.
  fixture("ScriptedKernel", "System", "Video4Linux", "CVideo4Linux"),
  // Pictures that contain the instructions for a scripted recogniser.
  fixture("ScriptedPhotos", "BookScan", "Imagery"),
  // Reports of turns as a build writes them, and their folders.
  fixture("RecordedTurns", "Harness", "System"),
  // Counts the allocations of a thread.
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
    "ScriptedPhotos", "HTTPService", "TalariaServer", database),
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
    // A module whose types appear in the interface of a library is a library itself; `scripts/layers` checks this.
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
  // A program that depends on SwiftWing with `traits: []` fetches only swift-log, and can use all libraries that need no other package.
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

// `scripts/fuzz` has a package of its own, which needs these modules as products.
if Context.environment["SWIFTWING_FUZZING"] != nil {
  package.products += [
    "JSON", "Settings", "Console", "Qualification", "HTTPService", "TalariaServer", "RemoteControl",
    "Dock",
  ].map {
    .library(name: $0, targets: [$0])
  }
}

// Keeps only the tests of the modules that SWIFTWING_TESTS names, such as `Capture,Log`. `scripts/mutate` sets it;
// `swift build --product SwiftWingPackageTests` builds them.
if let modules = Context.environment["SWIFTWING_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { $0.type == .test && !modules.contains($0.name.dropLast(5)) }
}

// Tests spend most of their time in these modules; optimised, they take half as long. SwiftPM refuses unsafe flags in a
// package that it has fetched, so they are left out where SwiftWing is a dependency, and with SWIFTWING_DEBUGGING set,
// to step through the code.
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
