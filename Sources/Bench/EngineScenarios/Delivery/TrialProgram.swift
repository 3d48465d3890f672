import FoundationEssentials
import Glibc
import Harness
import Probes

/// `swiftwing-tool trial`: delivery in a separate process, which is killed or fills its disk.
struct TrialProgram {
  let executable: String
  private let scratch: String
  private let fault: [String]

  init(_ rig: Rig, _ context: ScenarioContext) throws {
    guard rig.specification == nil else {
      throw Unsupported("delivery has no camera; run it without --source")
    }
    let folder = rig.viewfinder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    executable = "\(folder)/swiftwing-tool"
    scratch = context.scratchDirectory
    fault = rig.faultOption
  }

  /// Runs a trial in a folder of its own, which is deleted afterwards.
  /// - Parameter disk: a disk to mount at the folder; nil to use the disk of the report.
  /// - Throws: `LaunchError`. A trial that finds a flaw does not throw.
  func run<Outcome: Decodable>(
    _ arguments: [String], on disk: PrivateDisk? = nil, as type: Outcome.Type = Outcome.self
  ) throws -> Outcome {
    let folder = "\(scratch)/trial-\(UUID().uuidString.prefix(8).lowercased())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let command = [executable, "trial"] + arguments + fault + [folder]
    let wrapped = disk?.wrapping(command, mountedAt: folder) ?? command
    let outcome = try ChildProgram(
      executable: wrapped[0], arguments: Array(wrapped.dropFirst()), remedy: "build it with `make build`"
    ).run()
    guard outcome.status < 2, let value = try? JSONDecoder().decode(type, from: Data(outcome.output.utf8))
    else {
      throw LaunchError(
        executable, "it ended (status \(outcome.status)) without a result",
        remedy: "its own message, above, says why; if it is an old build, build it with `make build`")
    }
    return value
  }
}

/// A disk in memory for one program and its children, in a mount namespace of its own.
struct PrivateDisk {
  let megabytes: Int
  private let namespace: [String]

  /// Nil if the system does not allow creating the disk.
  init?(megabytes: Int) {
    self.megabytes = megabytes
    let asRoot = ["unshare", "--mount"]
    namespace = geteuid() == 0 ? asRoot : asRoot + ["--map-root-user"]
    let probe = wrapping(["true"], mountedAt: "/mnt")
    let outcome = try? ChildProgram(
      executable: probe[0], arguments: Array(probe.dropFirst()), showsErrors: false
    ).run()
    guard outcome?.status == 0 else { return nil }
  }

  /// Returns the command that mounts the disk at `folder` and then executes `command`.
  func wrapping(_ command: [String], mountedAt folder: String) -> [String] {
    let script = "mount -t tmpfs -o size=\(megabytes)m,mode=700 none \"$0\" && exec \"$@\""
    return namespace + ["--", "sh", "-c", script, folder] + command
  }
}
