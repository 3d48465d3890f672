/// The script of a review's page. It reads and writes nothing but the page's own fields, and the file that a person saves.
enum ReviewPageScript {
  /// The script. `</script>` must not occur in it.
  static let text = #"""
    const rows = [...document.querySelectorAll("li")]
    const field = row => row.querySelector("textarea"), tick = row => row.querySelector("input")
    const save = document.querySelector("#save"), others = document.querySelector("#others")
    const clean = text => text.replace(/\s+/g, " ").trim()
    let unsaved = false

    function tell() {
      const count = rows.filter(row => tick(row).checked).length
      document.querySelector("#count").textContent = `${count} of ${rows.length} answered`
      save.disabled = count === 0
      others.disabled = count === rows.length
      for (const row of rows) row.classList.toggle("answered", tick(row).checked)
    }

    function answer(row, isAnswered = true) {
      tick(row).checked = isAnswered
      unsaved = true
      tell()
    }

    // Moves to another row that is not answered yet, or to the button that saves.
    function move(row, step) {
      const next = step > 0 ? rows.slice(rows.indexOf(row) + 1).find(row => !tick(row).checked) : rows[rows.indexOf(row) - 1]
      if (!next) return step > 0 && save.focus()
      field(next).focus()
      field(next).setSelectionRange(field(next).value.length, field(next).value.length)
      next.scrollIntoView({ block: "center" })
    }

    // The answer as a line of the file. A name is whole, so that one without an author has none.
    function line(row) {
      const [text, id] = [clean(field(row).value), row.dataset.id]
      if (text === "") return `${id} d`
      if (text === clean(field(row).defaultValue)) return `${id} y`
      const isISBN = /^\d{9}(\d{3})?[\dXx]$/.test(text.replace(/[ -]/g, ""))
      if (isISBN || text.includes(" | ")) return `${id} ${text}`
      return `${id} =${/(^| )\/( |$)/.test(text) ? text : `${text} /`}`
    }

    for (const row of rows) {
      field(row).addEventListener("keydown", event => {
        if (event.key !== "Enter" || event.isComposing) return
        event.preventDefault()
        if (event.shiftKey) return move(row, -1)
        answer(row)
        move(row, 1)
      })
      field(row).addEventListener("input", () => answer(row, clean(field(row).value) !== clean(field(row).defaultValue)))
      tick(row).addEventListener("change", () => answer(row, tick(row).checked))
      row.querySelector("button").addEventListener("click", () => {
        field(row).value = ""
        answer(row)
        move(row, 1)
      })
    }
    others.addEventListener("click", () => {
      for (const row of rows.filter(row => !tick(row).checked)) {
        if (others.dataset.areNone) field(row).value = ""
        answer(row)
      }
      save.focus()
    })
    save.addEventListener("click", () => {
      const name = `answers-${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}.txt`
      const lines = rows.filter(row => tick(row).checked).map(line)
      const file = new Blob([`# library ${document.body.dataset.library}\n${lines.join("\n")}\n`], { type: "text/plain" })
      const link = document.createElement("a")
      link.href = URL.createObjectURL(file)
      link.download = name
      link.click()
      unsaved = false
      document.querySelector("#file").textContent = name
      document.querySelector("#then").hidden = false
    })
    addEventListener("beforeunload", event => { if (unsaved) event.preventDefault() })
    document.querySelector("#answers").hidden = false
    tell()

    """#

  /// The SHA-256 digest of the script in Base64, by which the page's policy allows it.
  static let digest = "tq1yl0Q1GmJKPY4K05ibY6DgN3kI7tBSDo6fRC2lXeI="
}
