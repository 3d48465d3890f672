import Harness
import Probes
import Testing

@testable import Counting

@Suite struct CallgrindFileTests {
  /// A file as valgrind 3.19 writes it. It has names that are given once and then by number, relative positions, omitted trailing
  /// zeros, and a marked recursion.
  private static let text = """
    # callgrind format
    version: 1
    creator: callgrind-3.19.0
    pid: 1
    part: 1
    desc: Timerange: Basic block 0 - 10
    desc: Trigger: Client Request: photo.a 4
    positions: line
    events: Ir Bcm sysCount
    summary: 140 7 1
    ob=(1) /usr/bin/tool
    fl=(1) a.c
    fn=(1) main
    10 20 1
    +1 10
    cob=(2) /lib/libc.so.6
    cfn=(2) malloc
    calls=3 0
    +1 60 4 1
    fn=(3) walk'2
    * 30 2
    ob=(2)
    fn=(2)
    0 60 4 1
    cfn=(2)
    calls=1 0
    5 999

    totals: 140 7 1
    """

  @Test func ownCostsAreWithoutThoseOfWhatIsCalled() throws {
    let file = try CallgrindFile(Self.text)
    #expect(file.name == "photo.a 4" && file.creator == "callgrind-3.19.0")
    #expect(file.total("Ir") == 120 && file.total("Bcm") == 7 && file.total("sysCount") == 1)
    #expect(file.total("none") == 0)
    let main = try #require(file.functions.first { $0.name == "main" })
    #expect(main.own == [30, 1, 0] && main.library == "tool")
    let malloc = try #require(file.functions.first { $0.name == "malloc" })
    #expect(malloc.own == [60, 4, 1] && malloc.library == "libc.so.6")
    #expect(malloc.callers == ["main": 3, "malloc": 1])
    #expect(malloc.inclusive == ["main": 60, "malloc": 999])
    #expect(file.functions.contains { $0.name == "walk" })
    #expect(file.calls(of: ["malloc", "calloc"]) == 4)
    #expect(file.calls(of: ["malloc", "calloc"], by: { $0 != "main" }) == 1)
  }

  @Test(arguments: [
    "", "no file of callgrind", "events: Ir\nfn=(7)\n", "events: Ir\nfn=(1) a\n1 x\n",
    "events: Ir\nfn=(1) a\n1 2 3\n", "events: Ir\nfn=(1) a\ncfn=(2) b\ncalls=1 0\n1 x\n",
    "events: Ir\ncalls=1 0\n1 2\n",
    "events: Ir\nfn=(1) a\n1 99999999999999999999\n",
  ])
  func whatIsNoSuchFileIsRefused(text: String) {
    #expect(throws: CountingError.self) { try CallgrindFile(text) }
  }

  /// A file with removed or changed bytes is read, or refused with an error.
  @Test func damagedFilesEndNothing() {
    let bytes = Array(Self.text.utf8)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] = damaged[place] &* 31 &+ 7
      _ = try? CallgrindFile(String(decoding: damaged, as: UTF8.self))
      _ = try? CallgrindFile(String(decoding: bytes[..<place], as: UTF8.self))
    }
  }

  /// An actor that goes on in another thread, and libdispatch's handover, allocate as often as threads happen to wait.
  @Test func allocationsOfAHandoverAreNotCounted() throws {
    let actor = "_ZN12_GLOBAL__N_116DefaultActorImpl6unlockEb"
    let file = try CallgrindFile(
      """
      events: Ir
      fn=(1) swift_slowAlloc
      1 1
      cfn=(2) malloc
      calls=9 0
      1 9
      fn=(3) \(actor)
      1 1
      cfn=(1)
      calls=2 0
      1 2
      fn=(4) _dispatch_continuation_alloc_from_heap
      1 1
      cfn=(5) calloc
      calls=4 0
      1 4
      """)
    #expect(CountingRun.allocations(in: file) == 7)
  }

  @Test func copiesAreReadByPath() {
    let text =
      "proof 1 1000000\nphoto.a 4 4000\na line of something else\nphoto.b 0 7\nphoto.c 2\nphoto.d 2 x\n"
    #expect(CountingRun.copies(text) == ["proof": 1_000_000, "photo.a": 1000])
  }

  @Test func swiftNamesAreReadable() {
    #expect(FunctionName.readable("$sSS10lowercasedSSyF") == "String.lowercased()")
    #expect(FunctionName.readable("malloc") == "malloc" && FunctionName.readable("$sBroken") == "$sBroken")
  }

  @Test(arguments: [
    (
      "Imagery.PhotoPipeline.(make in _1282AD9C2C98A8DDBA32AC4F205CCBD2)(_: Imagery.PixelBuffer, orientation: Imagery.Orientation) throws -> Imagery.Photo",
      "PhotoPipeline.make(_:orientation:)"
    ),
    ("static System.ProcessorTime.ofThread() -> Swift.Duration", "static ProcessorTime.ofThread()"),
    (
      "implicit closure #1 @Sendable () -> Swift.Duration in default argument 0 of Probes.ProcessorBurn.init(now: @Sendable () -> Swift.Duration) -> Probes.ProcessorBurn",
      "implicit closure #1 in default argument 0 of ProcessorBurn.init(now:)"
    ),
    (
      "static Swift.Duration.< infix(Swift.Duration, Swift.Duration) -> Swift.Bool",
      "static Duration.< infix(_:_:)"
    ),
    ("generic specialization <Swift.UInt8> of Swift.Array.append(__owned A) -> ()", "Array.append(_:)"),
    ("Library.Book.title.getter : Swift.String", "Book.title.getter"),
    (
      "Capture.Log.map<A where A: Swift.Error>(_: (Swift.Int) throws(A) -> [Swift.Int : A]) -> ()",
      "Log.map(_:)"
    ),
    ("main", "main"), ("", ""), ("((((", ""), ("a)b>", "a)b>"),
  ])
  func namesHaveLabelsAndNoTypes(name: String, short: String) {
    #expect(FunctionName.short(name) == short)
  }

  @Test(arguments: [
    ("_int_malloc", "libc.so.6", true), ("_int_free_merge_chunk", "libc.so.6", true),
    ("malloc", "libc.so.6", false),
    ("memcpy", "libc.so.6", false), ("_int_malloc", "swiftwing-tool", false),
    (
      "_ZNR5swift25ConcurrentReadableHashMapINS_20GenericCacheEntryENS_5MutexEE8Snapshot4findINS_16E",
      "libswiftCore.so", true
    ),
    ("_ZNK5swift16MetadataCacheKeyeqERKS0_", "swiftwing-tool", true),
    (
      "_ZN5swift34StableAddressConcurrentReadableHashMapINS_17GenericCacheEntryE11getOrInsert",
      "swiftwing-tool", false
    ),
    ("swift_getGenericMetadata", "swiftwing-tool", false), ("$s4find", "swiftwing-tool", false),
  ])
  func whatDependsOnAddressesIsLeftOut(name: String, library: String, isLeftOut: Bool) {
    #expect(ScatteredFunction.contains(name, in: library) == isLeftOut)
  }

  @Test(arguments: [
    ("$s7Capture12VirtualClockC3run3foryAA8DurationV_tF", true),
    ("$s7Capture12VirtualClockC4wait5until4wakeySo8timespecV_SbyXEtF", false),
    ("$s7Capture0A6NoticeOwcp", false), ("$s7Capture0A6NoticeOWOy", false),
    ("$s6System6LockedCAARi_zrlE4waityqd__qd__SgxzXElF", false),
    ("$s7Capture0A6NoticeOMa", true),
    ("$s6System6LockedCAARi_zrlE8withLockyqd__qd__xzKXEKlFSb_Tg5", true),
    ("$s4GRDB8DatabaseC16beginTransactionyyAC0D4KindOSgKF", false), ("$sSo8timespecVMa", false),
    ("$s12_Concurrency9AsyncTaskC3runyyF", false), ("$ss6HasherV", false), ("$s", false), ("$s99", false),
    ("swift_retain", false), ("_dispatch_lane_invoke", false), ("malloc", false), ("", false),
  ])
  func ownFunctionsAreToldByTheirModule(name: String, isOwn: Bool) {
    #expect(OwnFunction.contains(name) == isOwn)
  }

  @Test func eachGroupIsAScenario() {
    let scenarios = CountedWorkload.all(rig: Rig(viewfinder: ""))
    #expect(scenarios.map(\.id) == CountedPath.Group.allCases.map { "counted.\($0.rawValue)" })
    #expect(scenarios.allSatisfy { $0.suite == .counted && !$0.purpose.isEmpty && !$0.requirements.isEmpty })
    #expect(CountedPath.Group.allCases.allSatisfy { group in CountedPath.all.contains { $0.group == group } })
  }

  @Test func idsAreUniqueAndHaveTwoParts() {
    let ids = CountedPath.all.map(\.id)
    #expect(Set(ids).count == ids.count && ids.allSatisfy { $0.split(separator: ".").count == 2 })
    #expect(CountedPath.named("photo.mjpg-1280x720") != nil && CountedPath.named("none") == nil)
  }
}
