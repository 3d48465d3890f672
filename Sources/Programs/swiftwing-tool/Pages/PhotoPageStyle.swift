/// The common styles of pages that show photographs with lines over them. They look like those of a report.
enum PhotoPageStyle {
  static let css = """
    :root{--ground:#000;--ink:#fff;--dim:rgb(255 255 255/.66);--rule:rgb(255 255 255/.28);--alert:rgb(255,59,48)}
    *{box-sizing:border-box}html{background:var(--ground);color:var(--ink);-webkit-text-size-adjust:100%}
    body{margin:0 auto;max-width:1240px;padding:32px 20px 64px;overflow-wrap:anywhere;
    font:14px/1.5 ui-monospace,"SF Mono","DejaVu Sans Mono",Menlo,Consolas,monospace}
    h1{font-size:clamp(28px,6vw,56px);line-height:1.05;letter-spacing:-.03em;margin:0 0 12px}
    h2{font-size:16px;margin:0}p{margin:4px 0;color:var(--dim)}header p:first-of-type{color:var(--ink)}
    article{border-top:1px solid var(--rule);margin-top:36px;padding-top:16px}
    figure{position:relative;margin:14px 0}figure img,svg{display:block;width:100%;height:auto}
    svg{position:absolute;inset:0;height:100%;filter:drop-shadow(0 0 1px #000)}svg *{vector-effect:non-scaling-stroke;fill:none;stroke-width:2}
    svg text{fill:var(--ink);stroke:var(--ground);stroke-width:3;paint-order:stroke}

    """
}
