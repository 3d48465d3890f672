/// The version that every command of `swiftwing` reports.
package enum SwiftwingVersion {
  package static let text = "0.1.0"
}
