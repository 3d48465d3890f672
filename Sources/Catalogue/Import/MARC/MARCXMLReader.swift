import CExpat

/// Records of MARCXML (namespace `http://www.loc.gov/MARC21/slim`), as the bytes come, by Expat's parser.
///
/// A document type is refused, so no entity is ever expanded but XML's own. What is no well-formed XML cannot be read on from: the books
/// before it count, and the rest is told as one damage.
final class MARCXMLReader: RecordReader {
  /// Most bytes of one subfield.
  static let textLimit = 16_384

  private let parser: XML_Parser?
  private var items: [ReadItem] = []
  private var fields: MARCFields?
  private var tag = ""
  private var subfields: [MARCFields.Subfield] = []
  private var code: Character?
  private var text: [UInt8] = []
  private var hasFailed = false
  private var number = 0
  private var isTooLong = false

  init() {
    parser = XML_ParserCreateNS("UTF-8", 0x7C)
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { MARCXMLReader.of($0)?.begin($1, $2) }, { data, name in MARCXMLReader.of(data)?.end(name) })
    XML_SetCharacterDataHandler(parser) { MARCXMLReader.of($0)?.take($1, $2) }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in MARCXMLReader.of(data)?.refuseDocumentType()
    }
  }

  deinit { if let parser { XML_ParserFree(parser) } }

  /// The reader outlives its parser, which calls back only while it parses.
  private static func of(_ data: UnsafeMutableRawPointer?) -> MARCXMLReader? {
    data.map { Unmanaged<MARCXMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  func parse(_ bytes: ArraySlice<UInt8>) throws(ListRefusal) -> [ReadItem] { try feed(bytes, isLast: false) }

  func end() throws(ListRefusal) -> [ReadItem] { try feed([], isLast: true) }

  private func feed(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(ListRefusal) -> [ReadItem] {
    guard let parser else { throw ListRefusal(reason: "there is no memory for its parser") }
    guard !hasFailed else { return [] }
    let status = bytes.withUnsafeBytes {
      XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), isLast ? 1 : 0)
    }
    if status != XML_STATUS_OK { fail() }
    defer { items = [] }
    return items
  }

  private func fail() {
    hasFailed = true
    let code = XML_GetErrorCode(parser)
    let isRefused = code == XML_ERROR_ABORTED
    let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "it is not XML"
    items.append(
      .damaged(
        RecordDamage(
          place: "line \(XML_GetCurrentLineNumber(parser))",
          reason: isRefused
            ? "a document type is not read; neither is what follows" : "\(reason); what follows is not read"))
    )
  }

  private func refuseDocumentType() { XML_StopParser(parser, 0) }

  private static let namespace = "http://www.loc.gov/MARC21/slim|"

  /// The name without its namespace, when it is that of MARCXML or there is none.
  private static func name(_ pointer: UnsafePointer<CChar>?) -> Substring {
    guard let pointer else { return "" }
    let name = String(cString: pointer)
    return name.hasPrefix(namespace) ? name.dropFirst(namespace.utf8.count) : name[...]
  }

  private static func attribute(
    _ wanted: String, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> String {
    var index = 0
    while let list, let name = list[index], let value = list[index + 1] {
      if String(cString: name) == wanted { return String(cString: value) }
      index += 2
    }
    return ""
  }

  private func begin(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    switch Self.name(name) {
    case "record":
      (fields, isTooLong) = (MARCFields(), false)
      number += 1
    case "datafield":
      tag = String(Self.attribute("tag", attributes).prefix(3))
      subfields = []
    case "subfield" where MARCFields.wants(tag) && fields != nil:
      code = Self.attribute("code", attributes).first
      text = []
    default: break
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
    switch Self.name(name) {
    case "subfield":
      if let code, subfields.count < MARCFields.limit {
        subfields.append(.init(code: code, text: String(decoding: text, as: UTF8.self)))
      }
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
