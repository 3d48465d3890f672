import ArgumentParser
import Foundation
import Harness
import JSON
import RemoteControl

/// Which viewfinder a remote operates.
struct RemotePlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The socket of a viewfinder of this user, where there are several.", valueName: "FILE")) var socket:
    String?
  @Option(
    help: ArgumentHelp(
      "A viewfinder elsewhere: the address that `view --serve` printed.", valueName: "URL")) var url: String?
  @Option(help: ArgumentHelp("Its token, where the address has none.", valueName: "TOKEN")) var token: String?
  @Option(help: ArgumentHelp("A file with its token.", valueName: "FILE")) var tokenFile: String?
  @Option(
    help: ArgumentHelp("The key of its certificate, as `view --serve` printed it.", valueName: "sha256//…"))
  var pin: String?

  /// The usage of one of the remote's commands.
  static func usage(_ words: String) -> String {
    """
    swiftwing remote \(words) [--json]
             [--socket FILE | --url URL --token TOKEN [--pin sha256//…]]
    """
  }

  func validate() throws {
    guard socket == nil || url == nil else {
      throw ValidationError("--socket and --url both say where the viewfinder is; give one of them")
    }
    let idle = [
      token.map { _ in "--token" }, tokenFile.map { _ in "--token-file" }, pin.map { _ in "--pin" },
    ]
    if url == nil, let option = idle.compactMap({ $0 }).first {
      throw ValidationError("\(option) also needs --url: a viewfinder of this user asks for none")
    }
    guard token == nil || tokenFile == nil else {
      throw ValidationError("--token and --token-file both give the token; give one of them")
    }
  }

  /// - Throws: `Failure` with status 4 where no viewfinder runs there.
  func link() throws -> ControlLink {
    do {
      if let url { return try remote(url) }
      return try ControlLink.local(try socket ?? Self.onlySocket())
    } catch let trouble as ControlLink.Trouble {
      throw Failure(
        "cannot reach a viewfinder: \(trouble.reason)", trouble.isRefusal ? .usage : .sourceUnavailable)
    }
  }

  private func remote(_ url: String) throws -> ControlLink {
    guard let address = ChannelAddress(url) else {
      throw Failure(
        "cannot use --url \(url.prefix(80)): it must be wss://HOST:PORT; without TLS only this machine is reached",
        .usage)
    }
    guard let text = try token ?? fileToken() ?? ChannelAddress.token(in: url), let token = AccessToken(text)
    else {
      throw Failure(
        "cannot reach a viewfinder by --url without its token; give --token, as `view --serve` printed it",
        .usage
      )
    }
    return try ControlLink.remote(address, token: token, pin: pin)
  }

  private func fileToken() throws -> String? {
    guard let tokenFile else { return nil }
    guard let data = FileManager.default.contents(atPath: tokenFile), data.count <= 1024 else {
      throw Failure("cannot read --token-file \(tokenFile); check its name", .usage)
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Sockets that nobody answers at are left over from viewfinders that were killed.
  private static func onlySocket() throws -> String {
    let found = LocalConnection.sockets()
    guard found.count <= 1 else {
      let names = found.map { "--socket \($0)" }.joined(separator: " or ")
      throw Failure("several viewfinders run; choose one with \(names)", .usage)
    }
    guard let only = found.first else {
      throw Failure("no viewfinder runs here; `swiftwing view --serve` starts one", .sourceUnavailable)
    }
    return only
  }
}
