/// An error with the exit status that it ends a program with.
package struct Failure: Error, CustomStringConvertible {
  package let description: String
  package let status: ExitStatus

  package init(_ description: String, _ status: ExitStatus) {
    self.description = description
    self.status = status
  }
}
