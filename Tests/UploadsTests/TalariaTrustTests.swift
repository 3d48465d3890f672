import Foundation
import HTTPService
import TalariaServer
import Testing

@testable import Library
@testable import Uploads

@Suite struct TalariaTrustTests {
  let folder = try! TemporaryFolder()

  private func caFile(_ certificate: ServerCertificate) throws -> String {
    let path = "\(folder.path)/ca.pem"
    try certificate.pem.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func rightPinIsTaken() async throws {
    let certificate = try ServerCertificate()
    let talaria = try TalariaFixture(
      certificate: certificate, pin: certificate.pin, caFile: caFile(certificate))
    let job = try await talaria.upload()
    #expect(try await talaria.follow(job).count == 2)
  }

  @Test func wrongPinFailsClosed() async throws {
    let (certificate, other) = (try ServerCertificate(), try ServerCertificate())
    let talaria = try TalariaFixture(certificate: certificate, pin: other.pin, caFile: caFile(certificate))
    let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(error?.kind == .offline)
    #expect(error?.description.contains("pinned key") == true)
    #expect(talaria.server.statistics.uploads == 0)
  }

  /// The pin that `talaria serve --tls` prints is enough for a client, whatever CA settings exist.
  @Test func pinAloneSuffices() async throws {
    let (certificate, other) = (try ServerCertificate(), try ServerCertificate())
    for ca in [nil, try caFile(other), "/nowhere.pem"] {
      let talaria = try TalariaFixture(certificate: certificate, pin: certificate.pin, caFile: ca)
      let job = try await talaria.upload()
      #expect(try await talaria.follow(job).count == 2)
      try await talaria.client.cleanUp(job.id)
    }
    let several = try TalariaFixture(certificate: certificate, pin: "\(other.pin);\(certificate.pin)")
    _ = try await several.upload()
  }

  /// A pin only identifies the key. An expired certificate, or one for another host, is still refused. A wrong key is reported
  /// first.
  @Test func pinAloneFailsClosed() async throws {
    let other = try ServerCertificate()
    let cases: [(ServerCertificate, pin: (ServerCertificate) -> String, says: String)] = [
      (try ServerCertificate(), { _ in other.pin }, "pinned key"),
      (try ServerCertificate(validFor: -3600), { $0.pin }, "check the clock"),
      (try ServerCertificate(host: "example.org"), { $0.pin }, "check the clock, the address"),
    ]
    for (certificate, pin, says) in cases {
      let talaria = try TalariaFixture(certificate: certificate, pin: pin(certificate))
      let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
      #expect(
        error?.kind == .offline && error?.description.contains(says) == true, "\(error?.description ?? "")")
      #expect(talaria.server.statistics.uploads == 0)
    }
  }

  /// An invalid pin is reported as the user's mistake, and never ignored.
  @Test(arguments: [
    "", "nonsense", "sha256//", "sha256//AAAA", "sha256//\(String(repeating: "A", count: 44))",
    "sha512//\(String(repeating: "A", count: 43))=", "sha256//\(String(repeating: "A", count: 43))=;",
    "sha256//\(String(repeating: "A", count: 42))*=", "/etc/hostname",
    " sha256//\(String(repeating: "A", count: 43))=",
  ])
  func pinThatIsNoneIsBadInput(pin: String) throws {
    let error = #expect(throws: DeliveryError.self) {
      try TalariaFixture(pin: pin) { $0.server = "https://127.0.0.1:9" }
    }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains("sha256// and 44 characters of base64") == true)
  }

  @Test func expiredCertificateIsRefused() async throws {
    let certificate = try ServerCertificate(validFor: -3600)
    let talaria = try TalariaFixture(
      certificate: certificate, pin: certificate.pin, caFile: caFile(certificate))
    let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(error?.description.contains("check the clock") == true)
    #expect(talaria.server.statistics.uploads == 0)
  }

  /// Each refusal is one sentence. The client sends nothing before the server has proved its identity.
  @Test func everyRefusalIsOneClearSentence() async throws {
    let (good, other) = (try ServerCertificate(), try ServerCertificate())
    let cases: [(ServerCertificate, pin: String?, ca: ServerCertificate, says: String)] = [
      (good, other.pin, good, "somebody may be listening in"),
      (try ServerCertificate(validFor: -3600), nil, good, "check the clock, the address and the CA settings"),
      (
        try ServerCertificate(host: "example.org"), nil, good,
        "check the clock, the address and the CA settings"
      ),
      (good, nil, other, "check the clock, the address and the CA settings"),
    ]
    for (certificate, pin, ca, says) in cases {
      let talaria = try TalariaFixture(
        certificate: certificate, pin: pin, caFile: caFile(ca === good ? certificate : ca))
      let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("Cannot exchange data with 127.0.0.1: ") && text.contains(says), "\(text)")
      #expect(text.hasSuffix(".") && !text.contains("\n") && !text.contains(TalariaFixture.secret))
      #expect(talaria.server.statistics.uploads == 0)
    }
  }

  @Test func certificateOfAnotherHostIsRefused() async throws {
    let certificate = try ServerCertificate(host: "example.org")
    let talaria = try TalariaFixture(certificate: certificate, caFile: caFile(certificate))
    await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(talaria.server.statistics.uploads == 0)
  }

  @Test func certificateFromNobodyWeTrustIsRefused() async throws {
    let certificate = try ServerCertificate()
    let talaria = try TalariaFixture(certificate: certificate)
    await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(talaria.server.statistics.uploads == 0)
  }

  @Test(
    arguments: [
      ("http://talaria.example", nil), ("http://127.0.0.1.example", nil), ("ftp://127.0.0.1", nil),
      ("talaria", nil),
      ("https://user:word@talaria.example", nil), ("http://127.0.0.1:9", "sha256//AAAA"),
    ] as [(String, String?)])
  func addressThatIsNotPrivateIsRefused(address: String, pin: String?) {
    let settings = TalariaSettings.patient(address, TransportSettings(pin: pin))
    let error = #expect(throws: DeliveryError.self) {
      try TalariaClient(settings, device: BackendIdentity(secret: "s"))
    }
    #expect(error?.kind == .badInput)
  }

  @Test func environmentSetsCAAndPin() {
    let settings = TransportSettings.environment([
      "CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "/a.pem", "SSL_CERT_DIR": "/certs",
      "SWIFTWING_TALARIA_PIN": "sha256//x",
    ])
    #expect(settings == TransportSettings(pin: "sha256//x", caFiles: ["/a.pem"], caFolder: "/certs"))
    let both = TransportSettings.environment(["CURL_CA_BUNDLE": "/b.pem", "SSL_CERT_FILE": "/a.pem"])
    #expect(both.caFiles == ["/a.pem", "/b.pem"])
    let same = TransportSettings.environment(["CURL_CA_BUNDLE": "/a.pem", "SSL_CERT_FILE": "/a.pem"])
    #expect(same.caFiles == ["/a.pem"])
  }

  /// Certificates in both `SSL_CERT_FILE` and `CURL_CA_BUNDLE` are trusted; neither variable hides the other.
  @Test(arguments: [0, 1]) func eachFileOfCertificatesCounts(place: Int) async throws {
    let (certificate, other) = (try ServerCertificate(), try ServerCertificate())
    let right = try caFile(certificate)
    let wrong = "\(folder.path)/other.pem"
    try other.pem.write(toFile: wrong, atomically: true, encoding: .utf8)
    var files = [wrong, wrong]
    files[place] = right
    let talaria = try TalariaFixture(certificate: certificate) { [files] in $0.transport.caFiles = files }
    _ = try await talaria.upload()
    let strangers = try TalariaFixture(certificate: certificate) { $0.transport.caFiles = [wrong, wrong] }
    await #expect(throws: BackendError.self) { try await strangers.upload() }
  }

  @Test func fileOfCertificatesThatIsNotThereIsNamed() throws {
    let error = #expect(throws: DeliveryError.self) {
      try TalariaFixture { $0.transport.caFiles = ["/nowhere.pem", "/else.pem"] }
    }
    #expect(error?.kind == .badInput && error?.description.contains("/nowhere.pem") == true)
  }
}
