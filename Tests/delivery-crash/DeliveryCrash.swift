import Foundation

/// `delivery-crash run KILLS FOLDER [SEED]` kills a scanning process KILLS times and says what was lost, doubled or left;
/// `delivery-crash scan FOLDER SERVER` is that process.
@main
enum DeliveryCrash {
  static func main() async {
    let arguments = CommandLine.arguments
    do {
      switch arguments.dropFirst().first {
      case "scan" where arguments.count == 4:
        try await ScanningProcess(directory: arguments[2], server: arguments[3]).run()
      case "run" where arguments.count >= 4:
        guard let kills = Int(arguments[2]) else { return usage() }
        let seed = arguments.count > 4 ? UInt64(arguments[4]) ?? 1 : 1
        let outcome = try await CrashTrial(directory: arguments[3], kills: kills, seed: seed).run()
        print(outcome)
        exit(outcome.isClean ? 0 : 1)
      default: usage()
      }
    } catch {
      FileHandle.standardError.write(Data("delivery-crash: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func usage() {
    print("usage: delivery-crash run KILLS FOLDER [SEED] | scan FOLDER SERVER")
    exit(2)
  }
}
