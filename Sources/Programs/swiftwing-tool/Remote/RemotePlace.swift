import ArgumentParser
import Glibc
import Harness
import RemoteControl

/// The options that choose the viewfinder for a remote.
struct RemotePlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The socket of a viewfinder of this user, where there are several.", valueName: "FILE")) var socket:
    String?
  @Option(
    help: ArgumentHelp(
      "A viewfinder elsewhere: the address that `view --serve` printed, without the token.", valueName: "URL")
  ) var url: String?
  @Option(
    help: ArgumentHelp(
      "A file with its token, which others may not read; - is standard input.", valueName: "FILE"))
  var tokenFile: String?
  @Option(
    help: ArgumentHelp("The key of its certificate, as `view --serve` printed it.", valueName: "sha256//…"))
  var pin: String?

  static func usage(_ words: String) -> String {
    """
    swiftwing remote \(words) [--json] [--socket FILE]
             [--url URL [--token-file FILE] [--pin sha256//…]]
    """
  }

  func validate() throws {
    guard socket == nil || url == nil else {
      throw ValidationError("--socket and --url both say where the viewfinder is; give one of them")
    }
    let idle = [tokenFile.map { _ in "--token-file" }, pin.map { _ in "--pin" }]
    if url == nil, let option = idle.compactMap({ $0 }).first {
      throw ValidationError(
        "\(option) also needs --url; without --url, neither token nor key is used")
    }
    if let url, ChannelAddress.hasToken(url) {
      throw ValidationError(
        "--url must not have the token in it, because other users see it in the list of programs; \(Self.advice)"
      )
    }
  }

  /// Connects to the viewfinder.
  /// - Throws: `Failure` with status 4 if no viewfinder runs there.
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
        "cannot use --url \(url.prefix(80)): it must be wss://HOST:PORT; ws://, without TLS, reaches only this machine",
        .usage)
    }
    return try ControlLink.remote(address, token: try token(), pin: pin)
  }

  private static let advice =
    "put the token into \(variable), or into a file for --token-file"
  static let variable = "SWIFTWING_TOKEN"

  private func token() throws -> AccessToken {
    if let tokenFile {
      return try tokenFile == "-" ? TokenFile.tokenOfInput() : TokenFile.token(tokenFile)
    }
    if let text = getenv(Self.variable) {
      return try TokenFile.token(of: Array(String(cString: text).utf8), Self.variable)
    }
    throw Failure("cannot reach a viewfinder by --url without its token; \(Self.advice)", .usage)
  }

  /// Returns the only socket with a viewfinder. Sockets without one are left over from viewfinders that were killed.
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
