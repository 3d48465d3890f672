/// The styles of a scan's page in addition to ``PhotoPageStyle``. Certainty is shown by the kind of line and in words, not by
/// colour alone.
enum ScanPageStyle {
  static let css = """
    header p{max-width:100ch}.failure{color:var(--alert)}
    fieldset{border:0;padding:14px 0 0;margin:0;display:flex;flex-wrap:wrap;gap:6px 22px;align-items:center}
    legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    label{display:inline-flex;gap:8px;align-items:center;padding:4px 0;cursor:pointer}label span{color:var(--dim)}
    label i{width:20px;border-top:2px solid var(--ink)}
    label.all i{display:none}label.doubtful i{border-top:4px solid var(--alert)}label.unlikely i{border-top:2px dashed var(--dim)}
    .photo{display:grid;grid-template-columns:minmax(0,7fr) minmax(0,5fr);gap:28px;align-items:start;margin-top:14px}
    figure{margin:0;position:sticky;top:12px;width:min(100%,calc((100vh - 24px)*var(--ratio)))}
    svg a{cursor:pointer}figure svg .edge{pointer-events:all;stroke:var(--ink);stroke-width:1.5}
    figure svg .doubtful .edge{stroke:var(--alert);stroke-width:3.5}figure svg .unlikely .edge{stroke:var(--dim);stroke-dasharray:5 4}
    figure svg .unlikely text{fill:rgb(255 255 255/.8)}svg text{pointer-events:none}
    ol{list-style:none;margin:0;padding:0}
    li{display:grid;grid-template-columns:34px minmax(0,1fr) auto;gap:2px 12px;padding:9px 0 10px;border-top:1px solid var(--rule)}
    li:first-child{border-top:0}li>a{color:inherit;text-decoration:none;font-weight:700;grid-row:span 2}li>a:hover{text-decoration:underline}
    .read b{font-family:var(--mono);font-weight:700;margin-right:1ch}.read span{color:var(--dim)}.read small{display:block;font-size:12px;color:var(--dim)}
    .crop{grid-column:2/-1;grid-row:2}.crop:empty{display:none}.crop img{display:block;max-width:100%;max-height:72px;width:auto;height:auto}.crop .tall{max-height:160px}
    .read{grid-column:2;grid-row:1}.certainty{margin:0;white-space:nowrap;grid-column:3;grid-row:1;text-align:right}
    li.doubtful .certainty{color:var(--alert);font-weight:700}li.unlikely .read b{font-weight:400;color:var(--dim)}
    li:target,li:hover{background:var(--wash)}li{scroll-margin-top:12px}svg a{scroll-margin:40vh}
    figure svg a:target .edge,figure svg a:hover .edge{stroke-width:5;fill:var(--glow)}
    :root:has(#show-sure:checked) :is(li,svg>*):not(.sure),:root:has(#show-doubtful:checked) :is(li,svg>*):not(.doubtful),
    :root:has(#show-unlikely:checked) :is(li,svg>*):not(.unlikely){display:none}
    @media(max-width:760px){.photo{display:block}figure{position:relative;top:0;width:100%;margin-bottom:10px}
    li{grid-template-columns:30px minmax(0,1fr)}.certainty{grid-column:2;grid-row:3;text-align:left}li>a{grid-row:span 3}}
    @page{size:A4;margin:12mm}
    @media print{h1{font-size:28pt}h2{font-size:10pt}fieldset{display:none}
    article{break-before:page;border:0;margin:0;padding:0}article:first-of-type{break-before:auto}.photo{display:block;margin-top:2mm}
    figure{position:relative;width:min(100%,calc(125mm*var(--ratio)));margin:0 auto 3mm}
    figure>svg[viewBox]{filter:none}figure svg .unlikely .edge{stroke:#ddd}
    figure>svg text,figure svg .unlikely text{fill:#000;stroke:#fff}
    ol{columns:3;column-gap:5mm}li{grid-template-columns:7mm minmax(0,1fr);padding:.7mm 0;gap:0 1mm;break-inside:avoid;font-size:7pt}
    li:target{background:none}.read small{font-size:6.5pt}.certainty{grid-column:2;grid-row:3;text-align:left}li>a{grid-row:span 3}
    li:not(.doubtful) .crop{display:none}.crop img{max-height:7mm;margin:.4mm 0}}

    """

  /// Returns the rules by which a row highlights its outline and an outline its row.
  /// - Parameter most: the greatest number of spines in a photograph.
  static func pairs(_ most: Int) -> String {
    guard most > 0 else { return "" }
    let numbers = 1...min(most, 500)
    let outlines = numbers.map { "article:has(.r\($0):is(:hover,:target)) figure .o\($0) .edge" }
    let rows = numbers.map { "article:has(.o\($0):is(:hover,:target)) .r\($0)" }
    return outlines.joined(separator: ",") + "{stroke-width:5;fill:var(--glow)}"
      + rows.joined(separator: ",") + "{background:var(--wash)}"
  }
}
