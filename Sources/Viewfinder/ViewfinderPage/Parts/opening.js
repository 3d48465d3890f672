// The picture comes first. It is in the document where somebody looks already, and more are asked for at once. The rest of the page, which
// takes a browser longer to put together than a picture takes to come, is begun when the first one has been shown.

/// Milliseconds after which the rest is begun without one, such as of a camera that is still cold.
const REST_AFTER = 250;

const [secret, first] = find("first").textContent.split(" ");
credential.begin(secret);
const connection = new Connection();
const picture = new Picture(find("picture"), connection);
connection.open();
if (!document.hidden) {
  picture.open();
  picture.begin(first).catch(() => {});
}
find("first").remove();

let isRestBegun = false;
function beginRest() {
  if (isRestBegun) return;
  // By a slow line the picture is sooner than the rest of the document.
  if (document.readyState === "loading") return document.addEventListener("DOMContentLoaded", beginRest, { once: true });
  isRestBegun = true;
  find("rest").replaceWith(make("script", { textContent: find("rest").textContent }));
}
picture.onDrawn(() => { if (!isRestBegun) afterFrame(() => setTimeout(beginRest)); });
setTimeout(beginRest, REST_AFTER);
