import dns from "dns-packet";
import { expect, test } from "vitest";
import { encodeQuestions } from "./mdns-socket.ts";

test("questions are those that any decoder reads", () => {
  const questions = [
    { name: "_shelly._tcp.local", type: "PTR" },
    { name: "_printer._sub._http._tcp.local", type: "PTR" },
    { name: "Lamp._shelly._tcp.local", type: "SRV" },
    { name: "Lampe für Küche._shelly._tcp.local.", type: "TXT" },
    { name: "lamp.local", type: "A" },
    { name: "lamp.local", type: "AAAA" },
  ] as const;
  const packet = dns.decode(encodeQuestions(questions) ?? Buffer.alloc(0));
  expect(packet.type).toBe("query");
  expect(packet.questions?.map(({ name, type, class: of }) => [name, type, of])).toEqual(
    questions.map(({ name, type }) => [name.replace(/\.$/, ""), type, "IN"]),
  );
});

test.each([
  ["Lamp 2.0._shelly._tcp.local", ["Lamp 2.0", "_shelly", "_tcp", "local"]],
  ["Lamps, Inc.._shelly._tcp.local", ["Lamps, Inc.", "_shelly", "_tcp", "local"]],
  ["a._b._c._shelly._UDP.local", ["a._b._c", "_shelly", "_UDP", "local"]],
  ["lamp.of.home.local", ["lamp", "of", "home", "local"]],
])("%s is asked for with the labels that it has", (name, expected) => {
  const bytes = encodeQuestions([{ name, type: "SRV" }])?.subarray(12) ?? Buffer.alloc(0);
  const labels: string[] = [];
  for (let at = 0; bytes[at]; at += 1 + (bytes[at] ?? 0))
    labels.push(bytes.toString("utf8", at + 1, at + 1 + (bytes[at] ?? 0)));
  expect(labels).toEqual(expected);
});

test.each(["", "a..local", `${"x".repeat(64)}._shelly._tcp.local`, `${"x.".repeat(130)}local`])(
  "%j is no name, and is not asked for",
  (name) => {
    expect(encodeQuestions([{ name, type: "A" }])).toBeUndefined();
    const packet = encodeQuestions([
      { name, type: "A" },
      { name: "lamp.local", type: "A" },
    ]);
    expect(packet && dns.decode(packet).questions?.length).toBe(1);
  },
);
