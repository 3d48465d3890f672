import Glibc
import HTTPService
import Testing

@Suite struct CertificateFileTests {
  /// A pipe without a writer, an endless device and a folder are refused at once.
  @Test(arguments: ["/dev/zero", "/dev/null", "/tmp", "pipe", "/nowhere/key.pem"])
  func onlyFilesAreRead(path: String) {
    let pipe = "/tmp/certificate-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    mkfifo(pipe, 0o600)
    defer { unlink(pipe) }
    let file = path == "pipe" ? pipe : path
    #expect(throws: (any Error).self) { try ServerCertificate(certificateFile: file, keyFile: file) }
  }

  /// A host name may be longer than the common name of a certificate, and may consist of digits.
  @Test(arguments: [String(repeating: "a", count: 63) + ".local", "1.2.3", "127.0.0.1"])
  func anyHostGetsACertificate(host: String) throws {
    #expect(throws: Never.self) { try ServerCertificate(host: host) }
  }
}
