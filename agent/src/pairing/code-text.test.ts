import { expect, test } from "vitest";
import { pairingOf } from "./cloud.fixture.ts";
import { codeText } from "./pairing.ts";

const HUB = { edgeId: "02-00-00-00-00-01", fingerprint: "SHA256:oekVYFTgT6yJmunydRMs3Ael28TqLCrTof/G4NJTaB8" };

test("a code is plain text where the output is no terminal", () => {
  expect(codeText(pairingOf(1), HUB, false)).toBe(`code: BCDF-GHJL
link: https://cloud.example/pair?code=BCDF-GHJL

Open the link, or enter the code at https://cloud.example/pair. The page must show this hub as
  edgeId 02-00-00-00-00-01
  key    SHA256:oekVYFTgT6yJmunydRMs3Ael28TqLCrTof/G4NJTaB8
`);
});

test("on a terminal a square QR code stands above it, dark on light in its own colours, with an edge of light", () => {
  const text = codeText(pairingOf(1), HUB, true);
  expect(text).toContain(codeText(pairingOf(1), HUB, false));
  const lines = text.split("\n").filter((line) => line.startsWith("\u001b[97;40m"));
  const drawn = lines.map((line) => line.slice("\u001b[97;40m".length, -"\u001b[0m".length));
  // Two rows of the code to a line of text.
  const [width = 0] = drawn.map((line) => line.length);
  expect(Math.ceil(width / 2)).toBe(drawn.length);
  expect(drawn.every((line) => line.length === width)).toBe(true);
  expect(new Set(drawn.at(0))).toEqual(new Set("█"));
  expect(new Set(drawn.slice(0, -1).map((line) => line.slice(0, 2)))).toEqual(new Set(["██"]));
  // The corner marks begin after the edge: a dark line of seven, and light below it.
  expect(drawn[1]?.slice(2, 9)).toBe(" ▄▄▄▄▄ ");
});
