/// The version that every command of `swiftwing` tells.
package enum SwiftwingVersion {
  package static let text = "0.1.0"
}
