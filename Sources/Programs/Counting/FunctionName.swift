import Glibc

/// The name of a function as a person reads it.
enum FunctionName {
  /// `$s7Imagery13PhotoPipelineC7process…` → `PhotoPipeline.process(_:orientation:settings:)`; other names as they are.
  static func readable(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s") || symbol.hasPrefix("_$s") else { return symbol }
    let name: String? = symbol.utf8CString.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, let found = swiftDemangle(base, bytes.count - 1, nil, nil, 0) else {
        return nil
      }
      defer { free(found) }
      return String(cString: found)
    }
    return name.map(short) ?? symbol
  }

  /// Without modules, types of parameters and results, and the marks of what is private: `PhotoPipeline.make(_:orientation:)`.
  ///
  /// - Parameter name: demangled, such as `Imagery.PhotoPipeline.(make in _1282…)(_: Imagery.PixelBuffer, orientation: Imagery.Orientation) -> Imagery.Photo`.
  static func short(_ name: String) -> String {
    var rest = Substring(name)
    if rest.hasPrefix("generic specialization"), let of = rest.firstRange(of: "> of ") {
      rest = rest[of.upperBound...]
    }
    var text = ""
    while let next = rest.first {
      if next == "(" {
        let (inner, after) = Self.split(rest)
        rest = after
        if let mark = inner.firstRange(of: " in _") {
          text += inner[..<mark.lowerBound]
        } else if text.last.map({ $0 == " " }) ?? true {
          // The type of a closure.
          rest = Self.withoutResult(rest)
          while text.last == " " { text.removeLast() }
        } else {
          text += "(\(Self.labels(inner)))"
          rest = Self.withoutResult(rest)
        }
      } else if next == "<", text.last.map({ $0 != "." && $0 != " " }) ?? true {
        rest = Self.split(rest).after
      } else if next == " ", rest.hasPrefix(" : "), !text.isEmpty {
        // The type of a property, up to what it is in.
        rest = Self.withoutResult(rest)
      } else {
        text.append(next)
        rest.removeFirst()
      }
    }
    return withoutModules(text.replacing(" @Sendable", with: ""))
  }

  /// What stands in the brackets that `text` begins with, and what follows them; arrows are no brackets.
  private static func split(_ text: Substring) -> (inner: Substring, after: Substring) {
    var depth = 0
    var before: Character = " "
    for index in text.indices {
      let character = text[index]
      switch character {
      case "(", "<", "[": depth += 1
      case ")", "]": depth -= 1
      case ">" where before != "-": depth -= 1
      default: break
      }
      before = character
      if depth == 0 { return (text[..<index].dropFirst(), text[text.index(after: index)...]) }
    }
    return (text.dropFirst(), "")
  }

  /// `_: Imagery.PixelBuffer, orientation: Imagery.Orientation` → `_:orientation:`.
  private static func labels(_ parameters: Substring) -> String {
    var labels = ""
    var rest = parameters[...]
    while !rest.isEmpty {
      let label = rest.prefix { $0 != ":" && $0 != "," && $0 != "(" && $0 != "<" }
      let isLabelled = rest.dropFirst(label.count).first == ":"
      labels += isLabelled ? "\(label.drop { $0 == " " }):" : "_:"
      // To the comma behind it that is in no brackets.
      var depth = 0
      var before: Character = " "
      let end = rest.firstIndex { character in
        defer { before = character }
        switch character {
        case "(", "<", "[": depth += 1
        case ")", "]": depth -= 1
        case ">" where before != "-": depth -= 1
        case "," where depth == 0: return true
        default: break
        }
        return false
      }
      rest = end.map { rest[rest.index(after: $0)...].drop { $0 == " " } } ?? ""
    }
    return labels
  }

  /// Behind ` -> Type` or ` : Type`, where ` in ` or ` of ` says what all of it is in, or nothing follows.
  private static func withoutResult(_ text: Substring) -> Substring {
    guard ["->", "throws", "async", ": "].contains(where: { text.drop { $0 == " " }.hasPrefix($0) }) else {
      return text
    }
    let ends = [" in ", " of "].compactMap { text.firstRange(of: $0)?.lowerBound }
    return ends.min().map { text[$0...] } ?? ""
  }

  /// `static System.ProcessorTime.ofThread()` → `static ProcessorTime.ofThread()`.
  private static func withoutModules(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let parts = word.prefix { $0 != "(" }.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 2, parts[0].first?.isUppercase == true, parts[1].first?.isUppercase == true else {
        return word
      }
      return word.dropFirst(parts[0].count + 1)
    }.joined(separator: " ")
  }
}

/// Of the Swift runtime (`swift/Demangling/Demangle.h`): a new C string, which the caller frees, or nil.
@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
