import Glibc
import HTTPService
import Testing

@Suite struct CertificateFileTests {
  /// A pipe that nobody writes to, a device without an end and a folder are refused; none is waited for.
  @Test(arguments: ["/dev/zero", "/dev/null", "/tmp", "pipe", "/nowhere/key.pem"])
  func onlyFilesAreRead(path: String) {
    let pipe = "/tmp/certificate-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    mkfifo(pipe, 0o600)
    defer { unlink(pipe) }
    let file = path == "pipe" ? pipe : path
    #expect(throws: (any Error).self) { try ServerCertificate(certificateFile: file, keyFile: file) }
  }
}
