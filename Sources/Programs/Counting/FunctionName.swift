import Glibc

/// A function's name in readable form.
enum FunctionName {
  /// Shortens a mangled Swift name: `$s7Imagery13PhotoPipelineC7process…` → `PhotoPipeline.process(_:orientation:settings:)`.
  /// Other names are returned unchanged.
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

  /// Removes modules, types of parameters and results, and the marks of private declarations:
  /// `PhotoPipeline.make(_:orientation:)`.
  ///
  /// - Parameter name: a demangled name, such as `Imagery.PhotoPipeline.(make in _1282…)(_: Imagery.PixelBuffer, orientation:
  ///   Imagery.Orientation) -> Imagery.Photo`.
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
        // Skips the type of a property, up to the ` in ` or ` of ` of its context.
        rest = Self.withoutResult(rest)
      } else {
        text.append(next)
        rest.removeFirst()
      }
    }
    return withoutModules(text.replacing(" @Sendable", with: ""))
  }

  /// Returns the content of the brackets that `text` begins with, and the text after them.
  private static func split(_ text: Substring) -> (inner: Substring, after: Substring) {
    guard let end = firstIndex(in: text, where: { _, depth in depth == 0 }) else {
      return (text.dropFirst(), "")
    }
    return (text[..<end].dropFirst(), text[text.index(after: end)...])
  }

  /// Returns the labels of a parameter list: `_: Imagery.PixelBuffer, orientation: Imagery.Orientation` → `_:orientation:`.
  private static func labels(_ parameters: Substring) -> String {
    var labels = ""
    var rest = parameters
    while !rest.isEmpty {
      let label = rest.prefix { !":,(<".contains($0) }
      labels += rest.dropFirst(label.count).first == ":" ? "\(label.drop { $0 == " " }):" : "_:"
      let comma = firstIndex(in: rest) { character, depth in character == "," && depth == 0 }
      rest = comma.map { rest[rest.index(after: $0)...].drop { $0 == " " } } ?? ""
    }
    return labels
  }

  /// Returns the first index that `isFound` accepts.
  /// - Parameter isFound: receives each character and the number of brackets that are open after it. The `>` of an arrow `->`
  ///   closes none.
  private static func firstIndex(
    in text: Substring, where isFound: (_ character: Character, _ depth: Int) -> Bool
  ) -> Substring.Index? {
    var depth = 0
    var before: Character = " "
    return text.firstIndex { character in
      switch character {
      case "(", "<", "[": depth += 1
      case ")", "]": depth -= 1
      case ">" where before != "-": depth -= 1
      default: break
      }
      before = character
      return isFound(character, depth)
    }
  }

  /// Skips ` -> Type` or ` : Type`, up to the ` in ` or ` of ` of the context, or to the end.
  private static func withoutResult(_ text: Substring) -> Substring {
    guard ["->", "throws", "async", ": "].contains(where: { text.drop { $0 == " " }.hasPrefix($0) }) else {
      return text
    }
    let ends = [" in ", " of "].compactMap { text.firstRange(of: $0)?.lowerBound }
    return ends.min().map { text[$0...] } ?? ""
  }

  /// Removes module names: `static System.ProcessorTime.ofThread()` → `static ProcessorTime.ofThread()`.
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

/// The Swift runtime's demangler (`swift/Demangling/Demangle.h`). Returns a new C string, which the caller frees, or nil.
@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
