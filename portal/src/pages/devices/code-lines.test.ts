/** Lines that are pasted into a shell: a value of any content stays one value. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { consoleGet, consoleSet, curlRead, curlSet } from "./code-lines.ts";

const target = { deviceId: "dev_1", service: "Sign", index: "0", property: "text" };
const lamp = { origin: "http://127.0.0.1:8080", target, isOnly: true };

/** What a shell makes of a line: the words after its program. */
function words(line: string): string[] {
  const script = `TOKEN=t; curl() { printf '%s\\0' "$@"; }; porchlight() { printf '%s\\0' "$@"; }; ${line}`;
  return execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test.each(["plain", "two words", 'it\'s $HOME `id` "x" \\ ;&|', "line\nline", "", "‮עברית 🏮"])(
  "the value %j goes through a shell unharmed",
  (value) => {
    const sent = words(curlSet({ ...lamp, value }));
    expect(JSON.parse(sent[sent.indexOf("-d") + 1] ?? "")).toEqual({ value });
    expect(sent.at(-1)).toBe("http://127.0.0.1:8080/api/devices/dev_1/services/Sign.text");
    expect(words(consoleSet({ ...lamp, value: value }))).toEqual(["set", "dev_1", "Sign.text", value]);
  },
);

test("numbers, truth and JSON are given as JSON, and a negative number is no option", () => {
  expect(consoleSet({ ...lamp, value: 120 })).toBe("porchlight set dev_1 Sign.text 120");
  expect(consoleSet({ ...lamp, value: true })).toBe("porchlight set dev_1 Sign.text true");
  expect(words(consoleSet({ ...lamp, value: { a: [1] } })).at(-1)).toBe('{"a":[1]}');
  expect(words(consoleSet({ ...lamp, value: -5 }))).toEqual(["set", "dev_1", "Sign.text", "--", "-5"]);
});

test("several instances have their index, and a report is marked as one", () => {
  const second = { target: { ...target, index: "1" }, isOnly: false };
  expect(consoleGet({ target, isOnly: false })).toBe("porchlight get dev_1 Sign:0.text");
  expect(consoleGet(second)).toBe("porchlight get dev_1 Sign:1.text");
  expect(curlRead(lamp, true)).toContain("/services/Sign.text?refresh=true");
  expect(words(curlSet({ ...lamp, value: 1, report: true }))).toContain('{"value":1,"report":true}');
});
