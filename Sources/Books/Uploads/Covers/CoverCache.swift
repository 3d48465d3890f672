import Bibliography
import FoundationEssentials
public import Library
import System

/// Covers of books, fetched once and stored on disk up to a size limit. The covers that were unused for longest are removed first.
///
/// No request identifies the device. Redirects to another host and answers that are not pictures are refused.
///
/// ```swift
/// let covers = try CoverCache(directory: "\(store.directory)/covers")
/// for (_, address) in try await store.library.coverAddresses() {
///   let cover = try await covers.cover(at: address)
///   print(cover.mediaType, cover.bytes.count)
/// }
/// ```
public actor CoverCache {
  /// The limits of a cache.
  public struct Limits: Sendable, Equatable {
    /// The maximum size of all covers on disk, in bytes.
    public var total: Int
    /// The maximum size of a cover, in bytes.
    public var cover: Int
    /// The time limit for fetching a cover, in milliseconds.
    public var timeout: Int

    /// Creates limits; by default 256 MB in total, 4 MB per cover, and 20 s to fetch one.
    public init(total: Int = 256 << 20, cover: Int = 4 << 20, timeout: Int = 20_000) {
      self.total = total
      self.cover = cover
      self.timeout = timeout
    }
  }

  /// The limits of this cache.
  public let limits: Limits
  private let folder: CoverFolder
  private let transport: Transport
  private let clock: any DeliveryClock
  private var fetching: [String: Task<Result<Cover, DeliveryError>, Never>] = [:]

  /// - Parameters:
  ///   - directory: created if it is missing, for its owner only. Every file in it counts towards the limit, and may be removed.
  ///   - transport: must not have the pin of a backend, since other hosts have other keys.
  /// - Throws: `storage` if the folder cannot be created, `unavailable` if libcurl does not start.
  public init(
    directory: String, limits: Limits = Limits(), transport: TransportSettings = TransportSettings(),
    clock: any DeliveryClock = WallClock()
  ) throws(DeliveryError) {
    self.limits = limits
    self.clock = clock
    folder = try CoverFolder(directory)
    self.transport = try Transport(transport)
  }

  /// The standard folder of covers: `$XDG_CACHE_HOME/swiftwing/covers`, or `~/.cache/swiftwing/covers`.
  /// - Throws: `badInput` if neither variable is usable.
  public static func standardDirectory(_ environment: [String: String]) throws(DeliveryError) -> String {
    if let cache = environment["XDG_CACHE_HOME"], cache.begins(exactly: "/") {
      return "\(cache)/swiftwing/covers"
    }
    if let home = environment["HOME"], home.begins(exactly: "/") { return "\(home)/.cache/swiftwing/covers" }
    throw DeliveryError(
      .badInput, "find the covers", reason: "neither HOME nor XDG_CACHE_HOME says where they are",
      remedy: "set HOME, or choose their folder with --cache")
  }

  /// The cover at `address`, from the disk or else from the network. Concurrent calls for one address fetch it once.
  /// - Throws: `badInput` if the address is invalid or does not lead to a picture, `unavailable` if it cannot be fetched, `storage` if it cannot
  ///   be written.
  public func cover(at address: String) async throws(DeliveryError) -> Cover {
    let name = CoverFolder.name(of: address)
    if let cover = folder.take(name, limit: limits.cover, at: clock.now) { return cover }
    let task =
      fetching[name]
      ?? Task<Result<Cover, DeliveryError>, Never> {
        do throws(DeliveryError) {
          let cover = try await fetch(address)
          try folder.keep(cover, name, limit: limits.total, at: clock.now)
          return .success(cover)
        } catch { return .failure(error) }
      }
    fetching[name] = task
    defer { fetching[name] = nil }
    return try await task.value.get()
  }

  /// Whether the cover at `address` is on disk.
  public func holds(_ address: String) -> Bool { folder.holds(CoverFolder.name(of: address)) }

  /// The size of all covers on disk, in bytes.
  public func size() -> Int { folder.entries().reduce(0) { $0 + $1.size } }

  private func fetch(_ address: String) async throws(DeliveryError) -> Cover {
    guard let web = WebAddress(address) else {
      throw DeliveryError(
        .badInput, "fetch the cover at \(CleanText.line(address, characters: 100))",
        reason: "that is not a valid https address", remedy: Self.noCover)
    }
    let request = HTTPRequest(
      url: web.text,
      headers: [("Accept", "image/jpeg, image/png, image/webp, image/gif"), ("User-Agent", "SwiftWing")],
      timeout: limits.timeout)
    let bytes: [UInt8]
    do {
      let stream = try await transport.open(request)
      guard stream.head.status == 200 else {
        stream.cancel()
        throw Self.refusal(
          web.host, .unavailable,
          reason: "it answered with status \(stream.head.status)",
          remedy: [404, 410].contains(stream.head.status) ? Self.noCover : "try again later")
      }
      bytes = try await stream.body(limit: limits.cover)
    } catch let error as TransferError {
      throw Self.refusal(
        web.host, error.kind == .cancelled ? .cancelled : .unavailable, reason: error.reason,
        remedy: error.ownRemedy ?? Self.remedy(error.kind))
    } catch let error as DeliveryError {
      throw error
    } catch { throw Self.refusal(web.host, .unavailable, reason: "\(error)", remedy: "try again later") }
    guard let cover = Cover(bytes) else {
      throw Self.refusal(
        web.host, .badInput, reason: "its answer is not a picture", remedy: Self.noCover)
    }
    return cover
  }

  private static let noCover = "the book stays without a cover"

  private static func remedy(_ kind: TransferError.Kind) -> String {
    switch kind {
    case .unreachable, .timedOut, .cancelled: "try again later"
    case .untrusted, .wrongKey: "check the clock and the CA settings (CURL_CA_BUNDLE, SSL_CERT_FILE)"
    case .redirected, .tooLarge, .invalid: noCover
    }
  }

  private static func refusal(
    _ place: String, _ kind: DeliveryError.Kind, reason: String, remedy: String
  ) -> DeliveryError {
    DeliveryError(kind, "fetch the cover from \(place)", reason: reason, remedy: remedy)
  }
}
