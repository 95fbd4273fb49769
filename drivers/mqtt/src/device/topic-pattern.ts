/** Whether a topic matches a filter (MQTT 5, section 4.7). */

export function topicPattern(filters: readonly string[]): RegExp {
  const all = filters.map((filter) =>
    filter
      .split("/")
      .map(levelPattern)
      .join("/")
      .replace(/\/\.\*$/, "(?:/.*)?"),
  );
  return new RegExp(`^(?:${all.join("|") || "(?!)"})$`, "s");
}

function levelPattern(level: string): string {
  if (level === "+") return "[^/]*";
  return level === "#" ? ".*" : level.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
