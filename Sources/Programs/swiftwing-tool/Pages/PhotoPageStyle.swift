import Harness

/// The common styles of pages that show photographs with lines over them: those of all pages, and the lines.
///
/// Lines over a photograph are white on black by day and by night, because the photograph has no colour scheme.
enum PhotoPageStyle {
  static let css =
    ReportStyle.house + """
      h1{font-size:clamp(28px,4vw,44px);line-height:1.05;letter-spacing:-.03em;margin:0 0 10px}
      h2{font-size:16px}p{margin:4px 0;color:var(--dim)}header p:first-of-type{color:var(--ink)}
      article{border-top:1px solid var(--rule);margin-top:28px;padding-top:16px}
      figure{position:relative;margin:14px 0}figure img{display:block;width:100%;height:auto}
      figure>svg{--ink:#fff;--ground:#000;--dim:rgb(255 255 255/.66);--alert:#ff3b30;--glow:rgb(255 255 255/.22)}
      figure>svg[viewBox]{position:absolute;inset:0;height:100%;filter:drop-shadow(0 0 1px #000)}
      figure>svg *{vector-effect:non-scaling-stroke;fill:none;stroke-width:2}
      figure>svg text{fill:var(--ink);stroke:var(--ground);stroke-width:3;paint-order:stroke}

      """
}
