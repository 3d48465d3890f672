/// Words that hint at the role of a text, in lower case and without accents.
enum PartWords {
  /// Articles, prepositions and the like of the most common languages of Latin script, and of Russian.
  static let function = set(
    """
    the a an of and in on to for with from at is my your how what by as or not it be are was you i we his her its their our this that
    der die das und im zum zur ein eine des den dem von mit fur auf aus ist ich wie le les et du de la un une en dans sur au aux pour
    el los las y del para con por una al lo il e di della dei gli per che com dos da do na no um uma els amb van het een voor och
    и в на с по о для из от к не как
    """)
  /// Words that join two names.
  static let joining = set("and & und y i et e with mit и")
  /// Words that may be in or before a name.
  static let particles = set("by von de di del van der la le du da edited ed translated jr phd dr sir")
  static let edition = set(
    """
    edition edicion auflage ed edn second third fourth fifth sixth seventh eighth ninth tenth 1st 2nd 3rd 4th 5th 6th 7th revised updated
    expanded издание volume vol band tome tomo volum
    """)
  /// Endings of many Russian, Ukrainian and Bulgarian surnames.
  static let slavicEnds = ["ов", "ев", "ин", "скии", "ова", "ева", "ская"]
  /// Words of praise and of advertisement.
  static let praise = set(
    """
    bestseller bestsellers bestselling best-selling author authors autor autora times winner winning prize award million copies sold
    internationaler bestsellerautor premio prix preis gagnant now movie motion picture film translation
    """)
  /// Words in the names of publishers and series.
  static let publishers = set(
    """
    press books verlag editorial ediciones edicions publishing publishers publications university universitat oxford cambridge princeton
    springer wiley pearson addison wesley penguin vintage abacus pan picador puffin bantam dell ballantine doubleday knopf anchor scholastic
    hyperion harper harpercollins collins simon schuster random house macmillan mcgraw hill oreilly o'reilly reilly apress packt manning
    prentice hall elsevier academic routledge sage mit norton faber flamingo grafton canongate headline quercus maclehose virago corgi arrow
    orbit gollancz tor ace berkley signet mentor plume viking putnam delacorte bloomsbury egmont square fish little brown hachette goldmann
    heyne rowohlt rororo fischer suhrkamp insel inseltaschenbuch dtv ullstein piper luebbe lubbe bastei knaur moewig econ diogenes reclam
    kiepenheuer hanser beck tutor planeta anagrama alfaguara gallimard folio flammarion seuil dupuis mondadori feltrinelli einaudi adelphi
    nyrb harmony basic harcourt brace company classics modern paperback paperbacks taschenbuch krimi roman thriller mystery novel fiction
    bestseller international wrox sams que cengage thomson pragmatic crc chapman taylor francis birkhauser dover аст эксмо азбука urss
    издательство мир наука
    abrams atheneum athenaum aufbau avon ballantine barnes barrons baen batsford benteli bertelsmann blackwell
    blackie blanvalet bloomsbury bompiani brandstatter brockhaus btb burda carlsen castelvecchi chatto chronicle chrysalis cornelsen coronet
    dargaud dedalus diederichs disney dk dorling kindersley droemer dumont
    dutton ebury edhasa ellermann eichborn espasa everyman farrar straus giroux
    freytag fsg galaxia garzanti glencoe glenat greystone grijalbo haffmans hamlyn
    hanserblau heinemann herder hirmer hodder stoughton mifflin humanoids hutchinson
    jossey julliard kampa kindler klett klincksieck kosmos kodansha laffont larousse laterza
    leykam limmat longman loewe longanesi ludwig luchterhand magnum manesse metzler
    siebeck molden kimche nautilus newnes nomos nordsud oetinger olms orell fussli
    osprey paidos pantheon penhaligon perennial phaidon piatkus pimlico
    prestel prometheus propylaen proquest ravensburger razorbill rizzoli rodale rotbuch rowman sandmann sauerlander sceptre schirmer
    schocken scribner scribners siruela springer-verlag steidl suhrkamp sybex
    taschen tauris teubner thames thieme thienemann thorsons tredition tusquets ueberreuter unionsverlag vch
    verso vieweg weidenfeld nicolson weltbild
    zsolnay zytglogge росмэн гвардия питер лениздат просвещение
    махаон
    """)

  private static func set(_ words: String) -> Set<String> {
    Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
