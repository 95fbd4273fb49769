/** What is written to the terminal when something changes: that, and no more. */
import { beforeEach, expect, test } from "vitest";
import { Screen } from "./live-view.ts";

let text: string;
let screen: Screen;
beforeEach(() => {
  text = "";
  const write = (more: string) => {
    text += more;
  };
  screen = new Screen({ isTTY: true, write }, false);
});

const SIZE = { width: 20, height: 5 };
const line = (hue: string) => [
  { at: 0, width: 6, part: "lamp" },
  { at: 8, width: 5, part: hue },
];
/** What was written since the last look, with the escape character in words. */
function written(): string {
  const found = text.replaceAll("\u001b", "ESC");
  text = "";
  return found;
}

test("only the cell that is another is written, at its place and over the whole of the old one", () => {
  screen.open();
  screen.draw([line("120°"), line("40°")], SIZE);
  written();
  screen.draw([line("120°"), line("9°")], SIZE);
  expect(written()).toBe("ESC[2;9H9°   ");
  screen.draw([line("120°"), line("9°")], SIZE);
  expect(written()).toBe("");
});

test("another size is drawn anew, and so is what has gone from its place", () => {
  screen.open();
  screen.draw([line("120°"), line("40°")], SIZE);
  written();
  screen.draw([line("120°"), line("40°")], { width: 19, height: 5 });
  expect(written()).toBe("ESC[2JESC[1;1Hlamp  ESC[1;9H120° ESC[2;1Hlamp  ESC[2;9H40°  ");
  screen.draw([line("120°")], { width: 19, height: 5 });
  expect(written()).toBe("ESC[2JESC[1;1Hlamp  ESC[1;9H120° ");
});

test("the terminal is given back as it was, once, and is not drawn on after it", () => {
  screen.open();
  expect(written()).toContain("ESC[?1049hESC[?25l");
  screen.close();
  expect(written()).toBe("ESC[?7hESC[?25hESC[?1049l");
  screen.close();
  screen.draw([line("120°")], SIZE);
  expect(written()).toBe("");
});

test("a value of a device moves no cursor", () => {
  screen.open();
  screen.draw([line("\u001b[2J")], SIZE);
  expect(written()).toContain("\\u001b");
});

test("a name on the screen moves no cursor and breaks no line, however hostile it is", () => {
  screen.open();
  written();
  const name = "a\u001b[2J\u009b1m\nb\rc\u2028d\u202ee\u200bf";
  screen.draw([[{ at: 0, width: 80, part: name }]], { width: 100, height: 5 });
  const shown = written().replace(/^(?:ESC\[[\d;]*[HJKm])+/, "");
  expect(shown).toContain("a\\u001b[2J\\u009b1m\\u000ab");
  expect(shown).not.toMatch(/[\p{Cc}\u200b\u2028\u202e]|ESC/u);
});
