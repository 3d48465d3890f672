import CCounting
import FoundationEssentials
import Glibc
import Harness
import Probes
import System

/// One run of callgrind over paths of this program, in a separate process.
struct CountingRun {
  let rig: Rig
  let paths: [CountedPath]
  /// The folder for the tool's files during the run.
  let scratch: String

  /// The counts of one path, per unit of its work.
  struct Count: Sendable {
    let path: CountedPath
    /// The instructions, without those of `ScatteredFunction`.
    let instructions: Double
    /// Those of them that this project's own functions took, and these functions. Nil for a path that one thread runs.
    let own: (instructions: Double, functions: FunctionCount)?
    /// Calls of the C library's allocator.
    let allocations: Double
    /// Bytes that the C library copied.
    let copies: Double
    let systemCalls: Double
    /// First-level misses of data and instructions, by callgrind's model of a cache.
    let cacheMisses: Double
    /// Mispredicted branches, by callgrind's model.
    let branchMisses: Double
    let functions: FunctionCount
    /// The instructions of the C floor, which does the same work. Nil if there is none.
    let floor: Double?
  }

  private static let allocators: Set = [
    "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign",
  ]
  /// Callers whose calls are not counted as allocations: glibc's own inner call, and libdispatch's handover of work to another
  /// thread, which calls more often the longer that thread is busy.
  private static let unasked = ["_mid_memalign", "_dispatch_continuation_alloc_from_heap"]
  /// `DefaultActorImpl` of the Swift runtime (`Concurrency/Actor.cpp`), which allocates when an actor goes on in another thread.
  private static let actor = "_ZN12_GLOBAL__N_116DefaultActorImpl"

  /// Counts every path.
  /// - Throws: `Unsupported` if nothing can be counted on this machine; `CountingError` for an implausible count.
  func counts() throws -> [Count] {
    guard CountedWork.isBuilt else {
      throw Unsupported(
        "this program was compiled without valgrind's header: install valgrind, and build it again")
    }
    let folder = "\(scratch)/counted-\(UUID().uuidString.prefix(8).lowercased())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try run(.instructions, under: Self.callgrind(folder))
    let copies = try Self.copies(run(.copies, under: []))
    var named: [String: CallgrindFile] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let file = try CallgrindFile(Self.text("\(folder)/\(name)"))
      named[file.name.split(separator: " ").first.map(String.init) ?? ""] = file
    }
    try prove(named[CountedWork.proof])
    guard copies[CountedWork.proof] == Double(CountedWork.provingBytes) else {
      throw CountingError(
        "\(Int(copies[CountedWork.proof] ?? 0)) copied bytes were counted where \(CountedWork.provingBytes) are copied, so the counts of copies are wrong here"
      )
    }
    // Looks for the allocator's inner functions in all paths together: a path that always finds free memory does not call them.
    let isNamed = named.values.contains { $0.functions.contains { $0.name.hasPrefix("_int_malloc") } }
    return try paths.map { path in
      guard let file = named[path.id],
        let units = file.name.split(separator: " ").last.flatMap({ Double($0) }),
        units > 0, file.total("Ir") > 0
      else { throw CountingError("callgrind's files have no instructions of \(path.id)") }
      guard let copied = copies[path.id] else {
        throw CountingError("the bytes that \(path.id) copies were not counted")
      }
      let floor = path.floor == nil ? nil : try self.floor(named[path.floorID], path)
      return count(path, file, units, counter(file, isNamed), copies: copied, floor: floor)
    }
  }

  private func floor(_ file: CallgrindFile?, _ path: CountedPath) throws(CountingError) -> Double {
    guard let file, let units = file.name.split(separator: " ").last.flatMap({ Double($0) }), units > 0 else {
      throw CountingError(
        "callgrind's files have no instructions of the C code that \(path.id) is compared with")
    }
    return Double(file.steadyInstructions) / units
  }

  private static func text(_ path: String) throws(CountingError) -> String {
    do throws(RegularFile.Trouble) {
      return String(decoding: try RegularFile.read(path, atMost: fileLimit), as: UTF8.self)
    } catch { throw CountingError("callgrind's file \(path) cannot be read: \(error.reason)") }
  }

  /// The largest file that is read, bytes.
  private static let fileLimit = 256 << 20
  /// The greatest number of instructions around the rounds of the proof: two calls and the beginning of a dump.
  private static let proofSlack: UInt64 = 20_000

  /// Whether a loop of known rounds, two instructions each, was counted rightly, apart from the few instructions around it.
  static func isProof(_ instructions: UInt64) -> Bool {
    let expected = 2 * CountedWork.provingRounds
    return (expected...expected + proofSlack).contains(instructions)
  }

  private func prove(_ file: CallgrindFile?) throws {
    let counted = file?.total("Ir") ?? 0
    guard Self.isProof(counted) else {
      throw CountingError(
        "callgrind counted \(counted) instructions in a loop that has \(2 * CountedWork.provingRounds), so its counts are wrong here"
      )
    }
  }

  /// Reads lines of a path, its units and the bytes of all of them: bytes by path, for one unit.
  static func copies(_ text: String) -> [String: Double] {
    var bytes: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let units = Double(words[1]), let sum = Double(words[2]), units > 0 else {
        continue
      }
      bytes[String(words[0])] = sum / units
    }
    return bytes
  }

  /// The command before the program's own. Threads take turns in the order in which they asked: otherwise it depends on the load of
  /// the machine which of two threads goes on, and how often one waits for the other.
  private static func callgrind(_ folder: String) -> [String] {
    [
      "valgrind", "--tool=callgrind", "--fair-sched=try", "--instr-atstart=no", "--cache-sim=yes",
      "--branch-sim=yes",
      "--collect-systime=msec", "--demangle=no", "--callgrind-out-file=\(folder)/count",
    ]
  }

  /// Runs this program's paths under a tool, or by themselves.
  /// - Returns: the standard output.
  @discardableResult private func run(_ subject: CountedWork.Subject, under tool: [String]) throws -> String {
    let command =
      tool + [RunningProgram.sibling("swiftwing-tool"), "trial", "counted", "--counting", subject.rawValue]
    // Makes runs reproducible: one seed for hashing, one thread for tasks, one arena for memory, and nothing else of this
    // machine's environment.
    let variables = [
      "SWIFT_DETERMINISTIC_HASHING=1", "LIBDISPATCH_COOPERATIVE_POOL_STRICT=1", "MALLOC_ARENA_MAX=1",
      "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent",
    ]
    let said: ProgramOutput
    do throws(SystemError) {
      said = try ChildProcess.run(
        "env", ["-i"] + variables + Self.fixedAddresses + command + rig.faultOption + paths.map(\.id),
        keeping: 1 << 16, errors: .nothing, keepingErrors: 1 << 16)
    } catch { throw Unsupported("the program that counts cannot be started: \(error.reason)") }
    switch said.end.status {
    case 0: return String(decoding: said.output, as: UTF8.self)
    case 126, 127: throw Unsupported("valgrind is not installed; install the package valgrind")
    default:
      let lines = String(decoding: said.errors, as: UTF8.self).split(separator: "\n")
      let line = lines.last { !$0.hasPrefix("==") } ?? lines.last ?? ""
      throw CountingError("the program that was counted ended with \(said.end.status): \(line)")
    }
  }

  /// The command that gives memory the same addresses in every run, because the Swift runtime hashes by address. Empty if the
  /// system forbids it, as some containers do.
  private static let fixedAddresses: [String] = {
    let words = ["setarch", "-R"]
    let probe = try? ChildProcess.run("env", words + ["true"], keeping: 0, errors: .nothing)
    return probe?.end.status == 0 ? words : []
  }()

  private func count(
    _ path: CountedPath, _ file: CallgrindFile, _ units: Double, _ counter: String, copies: Double,
    floor: Double?
  ) -> Count {
    let index = file.events.firstIndex(of: "Ir") ?? 0
    let steady = file.functions.filter {
      $0.own[index] > 0 && !ScatteredFunction.contains($0.name, in: $0.library)
    }
    let functions = Self.named(steady, event: index, units)
    func total(_ events: [Substring]) -> Double {
      Double(events.reduce(0) { $0 + file.total($1) }) / units
    }
    return Count(
      path: path, instructions: Double(file.steadyInstructions) / units,
      own: path.hasThreads ? own(steady, index, units, counter) : nil,
      allocations: Double(Self.allocations(in: file)) / units, copies: copies,
      systemCalls: total(["sysCount"]), cacheMisses: total(["I1mr", "D1mr", "D1mw"]),
      branchMisses: total(["Bcm", "Bim"]),
      functions: FunctionCount(counter: counter, functions: functions), floor: floor)
  }

  /// The allocations that the work asks for, as opposed to those for handing it from one thread to another.
  static func allocations(in file: CallgrindFile) -> UInt64 {
    let all = file.calls(of: allocators, by: { name in !unasked.contains { name.hasPrefix($0) } })
    return all &- min(all, file.calls(of: ["swift_slowAlloc"], by: { $0.hasPrefix(actor) }))
  }

  private func own(_ functions: [CallgrindFile.Function], _ event: Int, _ units: Double, _ counter: String)
    -> (Double, FunctionCount)
  {
    let own = functions.filter { OwnFunction.contains($0.name) }
    let sum = own.reduce(0) { $0 + Double($1.own[event]) }
    return (sum / units, FunctionCount(counter: counter, functions: Self.named(own, event: event, units)))
  }

  /// Sums functions with the same readable name: specialisations of one function, and functions that differ only by types.
  private static func named(_ functions: [CallgrindFile.Function], event: Int, _ units: Double)
    -> [FunctionCost]
  {
    let alike = Dictionary(grouping: functions) { [$0.library, FunctionName.readable($0.name)] }
    return alike.map { key, functions in
      let own = functions.reduce(0) { $0 + Double($1.own[event]) }
      var inclusive: [String: Double] = [:]
      for function in functions {
        for (caller, taken) in function.inclusive {
          inclusive[FunctionName.readable(caller), default: 0] += Double(taken)
        }
      }
      let callers = inclusive.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(3)
      return FunctionCost(
        name: key[1], library: key[0], own: own / units, callers: callers.map(\.key),
        callerInstructions: callers.map { $0.value / units })
    }
  }

  /// Returns the conditions under which counts are comparable. Without names for glibc's inner functions, its searches for memory
  /// cannot be excluded.
  private func counter(_ file: CallgrindFile, _ isNamed: Bool) -> String {
    let library = String(cString: counting_c_library())
    return
      "\(file.creator.replacing("-", with: " ")), \(InstructionSet.name), glibc \(library), without searches"
      + (isNamed ? "" : " but those for memory (libc6-dbg is not installed)")
  }
}

/// The instruction set extensions that programs choose between at run time. Counts from processors with different extensions are not
/// comparable.
enum InstructionSet {
  static var name: String {
    #if arch(x86_64)
      "x86-64 with \(features(["avx2", "avx512f"]))"
    #elseif arch(arm64)
      "arm64 with \(features(["asimd", "sve"]))"
    #else
      "an unknown processor"
    #endif
  }

  /// Returns those of `wanted` that `/proc/cpuinfo` lists.
  private static func features(_ wanted: [String]) -> String {
    let bytes = (try? RegularFile.read("/proc/cpuinfo", atMost: 1 << 20)) ?? []
    let words = Set(String(decoding: bytes, as: UTF8.self).split { " \t\n".contains($0) })
    let found = wanted.filter { words.contains(Substring($0)) }
    return found.isEmpty ? "none of \(wanted.joined(separator: ", "))" : found.joined(separator: " and ")
  }
}
