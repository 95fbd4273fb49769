/** Buttons that copy the code beside them. Without scripts they stay hidden. */

for (const button of document.querySelectorAll("button.copy")) button.hidden = false;

document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? target.closest("button.copy") : null;
  if (!button) return;
  button.textContent = (await copied(button.previousElementSibling)) ? "Copied" : "Press Ctrl-C";
});

/** What it did is said until the reader goes on. */
for (const leaving of ["focusout", "pointerout"])
  document.addEventListener(leaving, ({ target }) => {
    if (target instanceof Element && target.matches("button.copy")) target.textContent = "Copy";
  });

/** Selects it where the browser keeps the clipboard from pages: those that do not come over TLS. @returns whether it was copied */
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    code.focus();
    return false;
  }
}
