import ArgumentParser
import BookScan
import Capture
import Corpora
import Dock
import Glibc
import HTTPService
import Harness
import Library
import RemoteControl
import Replay
import System

/// The options of `view` that need `--serve`.
struct ServeOptions: ParsableArguments {
  /// The default port of the page.
  static let usualPort: UInt16 = 8480

  @Option(
    defaultAsFlag: ServeOptions.usualPort,
    help: ArgumentHelp(
      "Show the viewfinder to a browser, at this port; 0 for any that is free.", valueName: "PORT"))
  var serve: UInt16?
  @Option(
    help: ArgumentHelp(
      "Another camera with its magnification; may be repeated.", valueName: "FACTOR=SRC"))
  var lens: [String] = []
  @Option(
    help: ArgumentHelp("The folder for recordings; by default the current folder.", valueName: "FOLDER"))
  var recordings: String?
  @Option(help: ArgumentHelp("The folder for photos; by default the current folder.", valueName: "FOLDER"))
  var photos: String?
  @Option(
    help: ArgumentHelp(
      "Keys and wheels of an input device, /dev/input/by-id/...; may be repeated.", valueName: "DEVICE"))
  var buttons: [String] = []
  @Flag(help: "Read the spines of books in the picture, and outline them.") var scan = false
  @OptionGroup var shelf: LibraryPlace
  @OptionGroup var ways: WayOptions
  @Option(
    help: ArgumentHelp(
      "Also serve other machines, over TLS, at this IPv4 address of this machine.", valueName: "ADDRESS"))
  var listen: String?
  @Option(
    help: ArgumentHelp("The certificate chain for --listen, as PEM, with --key.", valueName: "FILE"))
  var certificate: String?
  @Option(help: ArgumentHelp("The key of --certificate, as PEM.", valueName: "FILE")) var key: String?
  @Option(
    help: ArgumentHelp(
      "Another host name by which a browser may open the page, with --listen.", valueName: "NAME"))
  var name: String?
  @Option(
    help: ArgumentHelp(
      "The file with the token; a missing file is created with a new token.", valueName: "FILE"))
  var tokenFile: String?
  @Option(
    help: ArgumentHelp("The quality of encoded pictures, 1 to 100; by default 80.", valueName: "N"))
  var quality: Int?
  @Option(
    help: ArgumentHelp(
      "The seconds from the last viewer's leaving until the camera is closed; by default 30.",
      valueName: "SECONDS"))
  var pause: Double?

  /// Refuses these options without `--serve`.
  /// - Throws: an error that names the option.
  func refuseWithoutServe() throws {
    let given = [
      lens.first.map { _ in "--lens" }, recordings.map { _ in "--recordings" },
      photos.map { _ in "--photos" }, buttons.first.map { _ in "--buttons" },
      scan ? "--scan" : nil, ways.firstOption, shelf.path.map { _ in "--library" },
      listen.map { _ in "--listen" },
      certificate.map { _ in "--certificate" }, key.map { _ in "--key" },
      name.map { _ in "--name" }, tokenFile.map { _ in "--token-file" }, quality.map { _ in "--quality" },
      pause.map { _ in "--pause" },
    ]
    if let option = given.compactMap({ $0 }).first {
      throw ValidationError("\(option) needs --serve; add it, or leave \(option) out")
    }
  }

  func check() throws {
    guard (1...100).contains(quality ?? 80) else {
      throw ValidationError("--quality must be 1 to 100, not \(quality ?? 80)")
    }
    if let pause, !(0.5...86_400).contains(pause) {
      throw ValidationError("--pause must be 0.5 to 86400 seconds, not \(pause)")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key belong together; give both")
    }
    if listen == nil, let option = certificate.map({ _ in "--certificate" }) ?? name.map({ _ in "--name" }) {
      throw ValidationError("\(option) also needs --listen: without it only this machine is served")
    }
    if listen == "0.0.0.0" {
      throw ValidationError("--listen takes one address of this machine, such as `hostname -I` prints")
    }
    if let name, !Self.isHostName(name) {
      throw ValidationError("--name \(name.prefix(60)) is not the name of a machine, such as shelf.local")
    }
    if let option = ways.firstOption, !scan || shelf.path == nil {
      throw ValidationError("\(option) needs --scan and --library; add both")
    }
    _ = try factors()
  }

  private static func isHostName(_ name: String) -> Bool {
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    return name.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte) || (65...90).contains(byte) || byte == 45
          }
      }
  }

  private func factors() throws -> [(factor: Double, source: String)] {
    try lens.map { text in
      let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard halves.count == 2, let factor = Double(halves[0]), (0.1...100).contains(factor), factor != 1
      else {
        throw ValidationError(
          "--lens \(text.prefix(60)) is not FACTOR=SRC, with a factor from 0.1 to 100 that is not 1, such as 2=/dev/video2"
        )
      }
      return (factor, halves[1])
    }
  }
}

// MARK: - The values of the options

extension ServeOptions {
  func lenses() throws -> [LensList.Lens] {
    try factors().map { factor, source in
      let camera = try SourceSpecification(source).makeSource(corpusRoots: CorpusRoots.standard())
      return LensList.Lens(factor: factor, source: camera)
    }
  }

  /// Creates the shelf of books that is shown beside the picture.
  /// - Returns: nil if neither spines nor a library are requested.
  /// - Throws: the reason why no recogniser works, or why the library cannot be opened.
  func books() throws -> ViewfinderShelf? {
    guard scan || shelf.path != nil else { return nil }
    guard scan else { return ViewfinderShelf(reader: nil, library: try shelf.open()) }
    guard shelf.path != nil else {
      return ViewfinderShelf(
        reader: Self.reader(try Self.plain(RecognitionOptions.self).makeWorker()), library: nil)
    }
    return try station()
  }

  /// Creates a shelf that outlines spines and adds photos to the library.
  private func station() throws -> ViewfinderShelf {
    let folder = try shelf.directory()
    let store = try Store(directory: folder)
    let setup = try RecognitionSetup(
      ways, Self.plain(RecognitionOptions.self), catalogue: Self.plain(CataloguePlace.self), library: folder,
      keepsCut: true)
    return ViewfinderShelf(
      reader: setup.worker.map(Self.reader), library: store,
      intake: ViewfinderIntake(store, setup.recognition, journal: setup.journal))
  }

  private static func reader(_ worker: RecognitionWorker) -> SpineOutput.Reader {
    { photo in try worker.scan(photo, level: .fast).findings.spines }
  }

  /// Returns options with their default values.
  private static func plain<Options: ParsableArguments>(_ options: Options.Type) throws -> Options {
    try options.parse([])
  }

  /// Listens to the buttons of all devices.
  /// - Parameter tell: receives the events, on the devices' threads.
  /// - Throws: `Failure` that names the device that cannot be used, and the reason.
  func listen(_ tell: @escaping @Sendable (DockEvent) -> Void) throws -> [DockButtons] {
    try buttons.map { path in
      do { return try DockButtons(path: path, tell: tell) } catch {
        throw Failure("\(error)", .usage)
      }
    }
  }

  /// Checks a folder for new files.
  /// - Parameter option: the option that names the folder.
  /// - Throws: `Failure` if it is no folder, or if no files can be created in it.
  func folder(_ path: String?, _ option: String) throws -> String {
    let folder = path ?? "."
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(folder, W_OK | X_OK) == 0
    else {
      throw Failure(
        "cannot write to \(option) \(folder): it is not a folder that this user may write to; make it, or choose another",
        .usage)
    }
    return folder
  }

  /// Returns the certificate of the server.
  /// - Throws: the reason why TLS cannot be used.
  func tls() throws -> ServerCertificate? {
    guard let listen else { return nil }
    if let certificate, let key {
      do { return try ServerCertificate(certificateFile: certificate, keyFile: key) } catch let error
        as RegularFile.Trouble
      {
        throw Failure(
          "cannot use --certificate \(certificate) with --key \(key): one of them cannot be read: "
            + "\(error.reason); check both names and permissions", .usage)
      } catch {
        throw Failure(
          "cannot use --certificate \(certificate) with --key \(key): one of them is not a PEM file, "
            + "or the key is of another certificate; give a chain and its key, both as PEM", .usage)
      }
    }
    let year = 365 * 86_400
    do { return try ServerCertificate(host: name ?? listen, validFor: year) } catch {
      throw Failure(
        "cannot make a certificate because OpenSSL failed; try again, or give one by --certificate and --key",
        .failed)
    }
  }

  /// Returns the token of the token file. If the file does not exist, creates a token and writes it to the file.
  func token() throws -> AccessToken {
    guard let tokenFile else { return AccessToken() }
    if let token = try TokenFile.tokenIfThere(tokenFile) { return token }
    let token = AccessToken()
    do throws(SystemError) { try DurableFile.replace(tokenFile, with: Array("\(token.text)\n".utf8)) } catch {
      throw Failure("cannot write --token-file \(tokenFile): \(error.reason); check its folder", .usage)
    }
    return token
  }
}
