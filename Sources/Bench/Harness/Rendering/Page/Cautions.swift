extension Report {
  /// Warnings that must precede all figures: why the run is incomplete, or not genuine.
  var cautions: [String] {
    var found: [String] = []
    if let fault {
      found.append("The engine was broken on purpose (--fault \(fault)): these are not its real figures.")
    }
    if let missing { found += missing.map(\.sentence) }
    if !complete {
      found.append("The run was interrupted or killed before its end: it contains what was done until then.")
    }
    if let part { found.append("This is a part of a run: \(part).") }
    return found
  }
}
