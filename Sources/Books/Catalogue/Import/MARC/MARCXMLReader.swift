import CExpat

/// Reads MARCXML records (namespace `http://www.loc.gov/MARC21/slim`, or none) as the bytes arrive, with Expat.
///
/// A document type is refused, so only XML's own entities are ever expanded. Reading stops at malformed XML: the books before it are kept, and the
/// rest is reported as one damage. The limits below bound memory and time, since Expat buffers a whole comment, tag or instruction, rescans it with
/// each piece, and stores open elements and all names.
final class MARCXMLReader: RecordReader {
  /// The maximum number of bytes in a subfield.
  static let textLimit = 16_384
  /// The maximum number of bytes in a comment, a tag or an instruction.
  static let markupLimit = 1 << 17
  /// The maximum depth of nested elements.
  static let depthLimit = 100
  /// The maximum number of different names of elements, attributes and namespaces.
  static let nameLimit = 1000

  private var parser: XML_Parser?
  /// The beginning of the file, until its encoding is known; then nil.
  private var head: [UInt8]? = []
  private var taken = 0
  private var items: [ReadItem] = []
  /// The reason why this reader, not Expat, has stopped reading, as a clause. Nil if it has not.
  private var refusal: String?
  private var hasFailed = false

  private var fields: MARCFields?
  private var tag = ""
  private var subfields: [MARCFields.Subfield] = []
  private var code: Character?
  private var text: [UInt8] = []
  private var number = 0
  private var isTooLong = false
  private var depth = 0
  private var names: Set<String> = []

  deinit { if let parser { XML_ParserFree(parser) } }

  func parse(_ bytes: ArraySlice<UInt8>) throws(ListRefusal) -> [ReadItem] {
    guard let begun = head else { return try feed(bytes, isLast: false) }
    let whole = begun + bytes
    let isKnown = whole.count >= XMLEncoding.headLimit || whole.contains(UInt8(ascii: ">"))
    head = isKnown ? nil : whole
    guard isKnown else { return [] }
    begin(XMLEncoding.name(whole.prefix(XMLEncoding.headLimit)))
    return try feed(whole[...], isLast: false)
  }

  func end() throws(ListRefusal) -> [ReadItem] {
    let rest = head ?? []
    if head != nil { begin("UTF-8") }
    head = nil
    return try feed(rest[...], isLast: true)
  }

  private func begin(_ encoding: String?) {
    parser = XML_ParserCreateNS(encoding, 0x7C)
    expat_defer_nothing(parser)
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { MARCXMLReader.of($0)?.begin($1, $2) }, { data, name in MARCXMLReader.of(data)?.end(name) })
    XML_SetCharacterDataHandler(parser) { MARCXMLReader.of($0)?.take($1, $2) }
    XML_SetStartNamespaceDeclHandler(parser) { data, prefix, _ in
      prefix.map { MARCXMLReader.of(data)?.note(String(cString: $0)) }
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      MARCXMLReader.of(data)?.refuse("a document type is not read")
    }
    XML_SetUnknownEncodingHandler(
      parser, { data, name, encoding in MARCXMLReader.of(data)?.describe(name, encoding) ?? 0 },
      Unmanaged.passUnretained(self).toOpaque())
  }

  /// The reader that receives a callback. It outlives its parser, which makes callbacks only while it parses.
  private static func of(_ data: UnsafeMutableRawPointer?) -> MARCXMLReader? {
    data.map { Unmanaged<MARCXMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func feed(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(ListRefusal) -> [ReadItem] {
    guard let parser else {
      throw ListRefusal(
        reason: "there is no memory for its parser", remedy: "end other programs and try again")
    }
    guard !hasFailed else { return [] }
    let status = bytes.withUnsafeBytes {
      XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), isLast ? 1 : 0)
    }
    taken += bytes.count
    if status != XML_STATUS_OK {
      fail()
    } else if !isLast, taken - expat_byte(parser) > Self.markupLimit {
      refusal = "\(openMarkup()) is longer than 128 KB"
      fail()
    }
    defer { items = [] }
    return items
  }

  private func describe(
    _ name: UnsafePointer<CChar>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?
  ) -> CInt {
    let isRead = XMLEncoding.describe(name, encoding)
    let shown = name.map { CatalogueRecord.clean(String(String(cString: $0).prefix(40))) } ?? ""
    if isRead == 0 { refusal = "its encoding \(shown) is not read" }
    return isRead
  }

  /// The kind of markup that is open, so that Expat waits for its end.
  private func openMarkup() -> String {
    var (offset, size): (CInt, CInt) = (0, 0)
    guard let context = expat_context(parser, &offset, &size), size > offset else { return "markup" }
    let bytes = UnsafeRawBufferPointer(start: context + Int(offset), count: min(16, Int(size - offset)))
    let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    return text.hasPrefix("<!--") ? "a comment" : text.hasPrefix("<?") ? "an instruction" : "a tag"
  }

  private func fail() {
    hasFailed = true
    let said = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it is not XML"
    items.append(
      .damaged(
        RecordDamage(
          place: "line \(expat_line(parser))",
          reason: "\(refusal ?? said); what follows is not read")))
  }

  private func refuse(_ reason: String) {
    refusal = refusal ?? reason
    XML_StopParser(parser, 0)
  }
}

// MARK: - Expat's callbacks

extension MARCXMLReader {
  /// Counts a name that does not belong to MARCXML, since Expat stores each name.
  private func note(_ name: String) {
    guard names.count < Self.nameLimit else {
      return refuse("it has more than \(Self.nameLimit) different names")
    }
    names.insert(name)
  }

  private static let namespace = "http://www.loc.gov/MARC21/slim|"

  /// The name without MARCXML's namespace. A name in another namespace is returned in full.
  private static func name(_ pointer: UnsafePointer<CChar>?) -> Substring {
    guard let pointer else { return "" }
    let name = String(cString: pointer)
    return name.hasPrefix(namespace) ? name.dropFirst(namespace.utf8.count) : name[...]
  }

  private func attribute(
    _ wanted: String, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> String {
    var (index, found) = (0, "")
    while let list, let name = list[index], let value = list[index + 1] {
      switch String(cString: name) {
      case wanted: found = String(cString: value)
      case "tag", "code", "ind1", "ind2": break
      case let other: note(other)
      }
      index += 2
    }
    return found
  }

  private func begin(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    depth += 1
    guard depth <= Self.depthLimit else {
      return refuse("more than \(Self.depthLimit) elements are nested in each other")
    }
    switch Self.name(name) {
    case "record":
      (fields, isTooLong) = (MARCFields(), false)
      number += 1
    case "datafield":
      tag = String(attribute("tag", attributes).prefix(3))
      subfields = []
    case "subfield":
      let code = attribute("code", attributes).first
      guard MARCFields.wants(tag), fields != nil else { return }
      (self.code, text) = (code, [])
    case "collection", "leader", "controlfield":
      _ = attribute("tag", attributes)
      if Self.name(name) == "leader", fields != nil { (code, text) = ("l", []) }
    case let other:
      note(String(other))
      _ = attribute("", attributes)
    }
  }

  private func take(_ pointer: UnsafePointer<CChar>?, _ count: Int32) {
    guard code != nil, let pointer else { return }
    guard text.count + Int(count) <= Self.textLimit else {
      isTooLong = true
      return
    }
    text += UnsafeRawBufferPointer(start: pointer, count: Int(count))
  }

  private func end(_ name: UnsafePointer<CChar>?) {
    depth -= 1
    switch Self.name(name) {
    case "subfield":
      if let code, subfields.count < MARCFields.limit {
        subfields.append(.init(code: code, text: String(decoding: text, as: UTF8.self)))
      }
      code = nil
    case "leader":
      if code != nil { fields?.note(leader: text) }
      code = nil
    case "datafield":
      if MARCFields.wants(tag) { fields?.add(tag, subfields) }
      tag = ""
    case "record":
      if let fields {
        items.append(
          isTooLong
            ? .damaged(RecordDamage(place: "record \(number)", reason: "a subfield is over 16 KB"))
            : fields.item)
      }
      fields = nil
    default: break
    }
  }
}
