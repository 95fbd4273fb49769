/** References are built so that typed text never leads elsewhere. */
import { expect, test } from "vitest";
import { ref } from "./resources/objects.ts";

test("an object is named from the outside in", () => {
  expect(ref("env_1", "lamp")).toBe("env_1;lamp");
  expect(ref("eco_1", "home", "Küche", "lamp")).toBe("eco_1;home;Küche;lamp");
});

test("an alias is the same however its letters are composed", () => {
  expect(ref("env_1", "Ku\u0308che")).toBe(ref("env_1", "K\u00fcche"));
});

test.for(["", "a;b", "a/b", "a?b", "a#b", "a%3Bb", " a", "a ", "a\nb", "x".repeat(129)])(
  "%j is no part of one",
  (part) => {
    expect(() => ref("env_1", part)).toThrow(TypeError);
  },
);
