import JSON

/// A record of Open Library. A value of an unexpected type counts as missing.
struct OpenLibraryEntry {
  enum Kind: String {
    case edition = "/type/edition"
    case work = "/type/work"
    case author = "/type/author"
  }

  let members: [String: JSONValue]

  func item(_ kind: Kind, key: String) -> ReadItem {
    switch kind {
    case .author:
      let name = CatalogueRecord.clean(text("name"))
      guard let number = Self.number(key), !name.isEmpty else { return .passed }
      return .author(key: number, name: name)
    case .edition, .work:
      let record = record()
      guard !record.title.isEmpty else { return .passed }
      guard kind == .work else { return .book(record) }
      return Self.number(key).map { .work(key: $0, record) } ?? .book(record)
    }
  }

  private func record() -> CatalogueRecord {
    let prefix = text("title_prefix")
    return CatalogueRecord(
      title: CatalogueRecord.clean(prefix.isEmpty ? text("title") : "\(prefix) \(text("title"))"),
      subtitle: CatalogueRecord.clean(text("subtitle")),
      edition: CatalogueRecord.clean(text("edition_name")),
      publisher: CatalogueRecord.clean(texts("publishers").first ?? ""),
      isbns: CatalogueRecord.isbns(texts("isbn_13") + texts("isbn_10")), authorKeys: authors(),
      work: list("works").lazy.compactMap(Self.key).first)
  }

  /// The keys of the authors. An edition lists `{"key"}`, a work `{"author": {"key"}}` or, in old records, `{"author": "/authors/…"}`.
  private func authors() -> [Int64] {
    list("authors").prefix(CatalogueRecord.listLimit).compactMap { entry in
      if case .object(let members) = entry, let author = members["author"] { return Self.key(author) }
      return Self.key(entry)
    }
  }

  private func text(_ name: String) -> String {
    if case .string(let text)? = members[name] { text } else { "" }
  }

  private func list(_ name: String) -> [JSONValue] {
    if case .array(let values)? = members[name] { values } else { [] }
  }

  private func texts(_ name: String) -> [String] {
    list(name).prefix(CatalogueRecord.listLimit).compactMap {
      if case .string(let text) = $0 { text } else { nil }
    }
  }

  private static func key(_ value: JSONValue) -> Int64? {
    switch value {
    case .string(let key): number(key)
    case .object(let members):
      members["key"].flatMap { if case .string(let key) = $0 { number(key) } else { nil } }
    default: nil
    }
  }

  /// The number in a key such as `/authors/OL26320A`.
  private static func number(_ key: String) -> Int64? {
    guard let name = key.split(separator: "/").last, name.hasPrefix("OL"), name.utf8.count <= 20 else {
      return nil
    }
    return Int64(name.dropFirst(2).dropLast())
  }
}
