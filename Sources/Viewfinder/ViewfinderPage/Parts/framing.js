// How much of the picture is seen; a photo has all of it. If the window hides a part, the button says so. It changes between filling the window and
// showing the whole picture.

class FramingView {
  constructor(picture, marks) {
    Object.assign(this, { picture, marks });
    this.button = find("framing");
    this.button.addEventListener("click", () => this.toggle());
    picture.onDrawn(() => this.show());
    new ResizeObserver(() => this.show()).observe(picture.canvas);
  }

  toggle() {
    if (this.button.hidden) return;
    this.picture.gravityWish = this.picture.gravity === "fit" ? "fill" : "fit";
    this.picture.lay();
    this.show();
    this.marks.paint();
  }

  show() {
    const { picture } = this, { clientWidth: width, clientHeight: height } = picture.canvas;
    const share = picture.header && width ? seenShare(picture.canvas, { width, height }) : 1;
    this.button.hidden = share > 0.995;
    if (this.button.hidden) return;
    const isWhole = picture.gravity === "fit", part = percentText(share);
    setText(this.button, isWhole ? "Fill" : `${part} seen`);
    this.button.setAttribute("aria-label", isWhole ? "All of the picture is seen, as a photo has it. Fill the window" : `${part} of the picture is seen, and a photo has all of it. Show all of it`);
  }
}
