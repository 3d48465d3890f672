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
}
