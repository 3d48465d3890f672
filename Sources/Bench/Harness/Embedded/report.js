"use strict";
// The page is whole without this: it adds a filter, keys, and opens what a link leads to.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const text = document.getElementById("filter-text");
  const verdict = document.getElementById("filter-verdict");
  const count = document.getElementById("filter-count");
  const articles = all("article");
  const attention = new Set(["fail", "regressed", "inconclusive", "incomparable", "interrupted"]);
  // Read when they are first asked for: a page may have ten thousand rows.
  let index;
  const rows = () => index ??= articles.map((article) => ({
    article,
    words: (article.querySelector("header").textContent + article.querySelector(".purpose").textContent).toLowerCase(),
    rows: all("tr[data-verdict]", article).map((row) => ({
      row, words: row.textContent.toLowerCase(), alert: row.classList.contains("alert"),
      against: row.nextElementSibling?.classList.contains("against") ? row.nextElementSibling : null,
    })),
  }));

  const filter = () => {
    const words = text.value.trim().toLowerCase();
    const wanted = verdict.value;
    const fits = (own, alert) => !wanted || (wanted === "!" ? alert || attention.has(own) : own === wanted);
    let shown = 0, total = 0;
    for (const entry of rows()) {
      const article = entry.article;
      const named = words && entry.words.includes(words);
      let some = 0;
      for (const item of entry.rows) {
        const fit = fits(item.row.dataset.verdict, item.alert) && (!words || named || item.words.includes(words));
        item.row.hidden = !fit;
        if (item.against) item.against.hidden = !fit;
        total += 1;
        some += fit ? 1 : 0;
      }
      shown += some;
      article.hidden = !some && !(fits(article.dataset.verdict, false) && (!words || named));
    }
    for (const suite of all(".suite")) suite.hidden = !suite.querySelector("article:not([hidden])");
    count.textContent = words || wanted ? `${shown} of ${total} rows` : "";
  };

  const reset = () => {
    text.value = "";
    verdict.value = "";
    filter();
  };

  // A link to a row opens what it is in, and a filter that hides it is taken off.
  const follow = () => {
    let name;
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = name && document.getElementById(name);
    if (!target) return;
    if (target.closest("[hidden]")) reset();
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView({ block: "start" });
  };

  const visible = (selector) => articles.filter((article) => !article.hidden && article.matches(selector));
  const go = (list, step) => {
    const at = document.activeElement?.closest?.("article");
    const place = at ? at.getBoundingClientRect().top : 0;
    const next = step > 0
      ? list.find((article) => article !== at && article.getBoundingClientRect().top > place + 1)
      : list.findLast((article) => article !== at && article.getBoundingClientRect().top < place - 1);
    const link = next?.querySelector("h3 a");
    link?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "start" });
  };
  const open = () => {
    const article = document.activeElement?.closest?.("article");
    const folds = article ? all("details", article) : [];
    const isOpen = folds.some((fold) => !fold.open);
    for (const fold of folds) fold.open = isOpen;
  };
  const keys = {
    "/": () => text.focus(), j: () => go(visible("*"), 1), k: () => go(visible("*"), -1),
    n: () => go(visible(".alert"), 1), o: open, Escape: reset,
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const typing = event.target.matches?.("input, select, textarea");
    if (typing && event.key !== "Escape") return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    if (typing) event.target.blur();
    act();
  });

  let pending;
  text.addEventListener("input", () => { clearTimeout(pending); pending = setTimeout(filter, 80); });
  verdict.addEventListener("change", filter);
  document.getElementById("open-all").addEventListener("click", () => { for (const fold of all("main details")) fold.open = true; });
  document.getElementById("close-all").addEventListener("click", () => { for (const fold of all("details")) fold.open = false; });
  addEventListener("hashchange", follow);
  document.getElementById("tools").hidden = false;
  if (location.hash) follow();
})();
