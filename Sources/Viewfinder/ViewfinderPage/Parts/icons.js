// The icons of the page: strokes on a square of 24. They are drawn in the colour of the text, and a screen reader passes over them.

const ICONS = {
  bias: "M4 3.5h16a.5.5 0 0 1 .5.5v16a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5zM20 4 4 20M7 8.5h5M9.5 6v5M13 16h5",
  format: "M3.5 9V4.5H8M16 4.5h4.5V9M20.5 15v4.5H16M8 19.5H3.5V15M8 9h8v6H8z",
  exposure: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M18.7 5.3 17 7M7 17l-1.7 1.7",
  camera: "M12 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM8.5 9.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM15.5 9.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
  shelf: "M4.5 4h4v16h-4zM8.5 6.5h4V20h-4zM13.3 6.3l3.6-1 3.8 13.6-3.6 1zM4.5 8h4M8.5 16h4",
  dock: "M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM12 2.5v4M9.8 4.7 12 2.5l2.2 2.2M12 21.5v-4M9.8 19.3l2.2 2.2 2.2-2.2M2.5 12h4M4.7 9.8 2.5 12l2.2 2.2M21.5 12h-4M19.3 9.8l2.2 2.2-2.2 2.2",
  settings: "M3.5 7h9M16.5 7h4M14.5 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM3.5 17h4M11.5 17h9M9.5 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  keys: "M2.5 6.5h19v11h-19zM6 10h1M10 10h1M14 10h1M18 10h0M7.5 14h9",
  share: "M12 15V3m-4 4 4-4 4 4M6 11H4v10h16V11h-2",
  save: "M12 3v12m-4-4 4 4 4-4M4 17v4h16v-4",
  info: "M12 11v7m0-11v1.5M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20",
  remove: "M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7m4-7v7",
  older: "m15 4-8 8 8 8",
  newer: "m9 4 8 8-8 8",
  close: "M5.5 5.5l13 13M18.5 5.5l-13 13",
};

function icon(name) {
  const sign = draw("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
  sign.append(draw("path", { d: ICONS[name] }));
  return sign;
}
