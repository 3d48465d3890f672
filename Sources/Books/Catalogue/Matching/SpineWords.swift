import Bibliography

/// Words on spines that do not name a book: publishers, and kinds of books.
enum SpineWords {
  /// Whether a word says nothing about the book.
  static func isIdle(_ word: FoldedWord) -> Bool { idle.contains(word) }

  /// Whether a word is too common to tell one title from another.
  static func isSmall(_ word: FoldedWord) -> Bool { word.count < 3 || small.contains(word) }

  private static let small = words(
    """
    the and for with from into der die das den dem des ein eine einer und von vom zum zur mit auf fur les des une \
    aux dans pour par sur los las del una con por para gli dei nel nella della delle degli the els amb per
    """)

  private static let idle = words(
    """
    verlag press publisher publishers publishing publications books edition editions editorial ediciones edizioni editore \
    auflage taschenbuch paperback roman novel novela romanzo bestseller classics classic library penguin puffin vintage picador \
    springer wiley oreilly reilly pearson prentice hall addison wesley mcgraw hill manning packt apress elsevier routledge oxford cambridge \
    university harpercollins harper collins macmillan faber bantam ballantine doubleday knopf scribner random house simon schuster \
    suhrkamp fischer rowohlt reclam hanser insel diogenes piper goldmann heyne ullstein gallimard folio seuil flammarion grasset \
    poche pocket planeta anagrama alfaguara tusquets debolsillo einaudi mondadori feltrinelli adelphi bompiani rizzoli \
    delacorte scholastic harcourt norton viking dutton putnam berkley signet anchor dell bloomsbury walker hachette hodder headline \
    sphere abacus corgi pan virago canongate quercus tor orbit gollancz hanser knaur blanvalet aufbau beck manesse dtv lubbe bastei \
    klett cornelsen beltz kiepenheuer witsch econ crc livingstone bestselling author series \
    эксмо аст просвещение наука мир издательство азбука роман
    """)

  private static func words(_ text: String) -> Set<FoldedWord> { Set(FoldedText(text).words) }
}
