/** Text of a device, escaped for HTML and XML. */

/** Escapes what is markup, and leaves out what XML 1.0 cannot carry. */
export function markup(text: string): string {
  return [...text]
    .filter((letter) => letter >= " " || letter === "\n" || letter === "\t")
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
