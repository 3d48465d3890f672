// The picture comes first. The document contains one if other clients watch the camera already, and more are requested at once. The rest of the page
// takes a browser longer to build than a picture takes to arrive, so it is begun when the first picture has been shown.

/// Milliseconds after which the rest is begun without a picture, for example if the camera is still being opened.
const REST_AFTER = 250;

const [secret, first] = find("first").textContent.split(" ");
// Another thread decodes the picture while this one connects.
const early = document.hidden ? null : beginPicture(first);
credential.begin(secret);
const connection = new Connection();
const picture = new Picture(find("picture"), connection);
if (!document.hidden) {
  picture.begin(early).catch(() => {});
  picture.open();
}
connection.open();
find("first").remove();

let isRestBegun = false;
function beginRest() {
  if (isRestBegun) return;
  // On a slow connection the picture arrives before the rest of the document.
  if (document.readyState === "loading") return document.addEventListener("DOMContentLoaded", beginRest, { once: true });
  isRestBegun = true;
  find("rest").replaceWith(make("script", { textContent: find("rest").textContent }));
}
picture.onDrawn(() => { if (!isRestBegun) afterFrame(() => setTimeout(beginRest)); });
setTimeout(beginRest, REST_AFTER);
