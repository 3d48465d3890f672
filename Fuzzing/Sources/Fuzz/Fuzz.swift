import CLibFuzzer
import Foundation

/// The command lines are `Fuzz list`, `Fuzz seeds TARGET FOLDER`, and `Fuzz TARGET [libFuzzer's options, folders and files]`.
@main
struct Fuzz {
  /// The target that runs. It is static because libFuzzer calls a C function without a context. It is set once, before the first
  /// call.
  nonisolated(unsafe) static var target: FuzzTarget?

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    guard let name = arguments.first else { refuse("name a target, or `list`") }
    arguments.removeFirst()
    switch name {
    case "list": for target in FuzzTarget.all { print(target.name, target.longest, separator: "\t") }
    case "seeds":
      guard arguments.count == 2 else { refuse("seeds needs a target and a folder") }
      writeSeeds(of: find(arguments[0]), to: arguments[1])
    default:
      target = find(name)
      drive(arguments)
    }
  }

  private static func find(_ name: String) -> FuzzTarget {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
      refuse("there is no target \(name); there are \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
    }
    return target
  }

  private static func refuse(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("Fuzz: \(reason)\n".utf8))
    exit(2)
  }

  /// Runs libFuzzer with these options until it ends the process.
  private static func drive(_ options: [String]) {
    var count = Int32(options.count + 1)
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(
      capacity: options.count + 2)
    for (index, text) in ([CommandLine.arguments[0]] + options).enumerated() {
      arguments?[index] = strdup(text)
    }
    arguments?[options.count + 1] = nil
    exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
  }

  private static func writeSeeds(of target: FuzzTarget, to folder: String) {
    let files = target.files.flatMap(small)
    for (index, seed) in (target.seeds + files).enumerated() where seed.count <= target.longest {
      _ = FileManager.default.createFile(atPath: "\(folder)/seed-\(index)", contents: Data(seed))
    }
    func small(_ path: String) -> [[UInt8]] {
      let below = FileManager.default.enumerator(atPath: path)?.compactMap { "\(path)/\($0)" } ?? []
      return ([path] + below.sorted()).prefix(2000).compactMap { path in
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
          attributes?[.size] as? Int ?? .max <= target.longest
        else { return nil }
        return FileManager.default.contents(atPath: path).map(Array.init)
      }
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Fuzz.target?.run(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
