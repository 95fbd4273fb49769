import { describe, expect, test } from "vitest";
import { pathsOf } from "./pattern-paths.ts";

const LENGTH = 9;

test.for([
  ["abc", 1],
  ["a*", 10],
  ["a+b*", 100],
  [".*?x", 10],
  ["a?b?c?", 8],
  ["a|b|c", 3],
  ["(a|b)(c|d)", 4],
  ["(?:a+)?", 11],
  ["(ab)*", 10],
  ["a{3}", 1],
  ["a{1,4}", 4],
  ["a{2,}", 10],
  ["[a*|(]", 1],
  ["[]*]", 1],
  ["\\*\\(\\|", 1],
  ["(?P<name>\\d+)-(?P<other>\\d+)", 100],
  ["^(?=a*)b$", 10],
  ["", 1],
  ["(", 1],
  [")", 1],
] as const)("%j can try in %d ways from one place of a text of 9 characters", ([pattern, ways]) => {
  expect(pathsOf(pattern, LENGTH)).toBe(ways);
});

describe("a pattern whose time can double with each character", () => {
  test.for([
    "(a+)+",
    "((a+)|b)+$",
    "(a+(b|))+$",
    "(a|a)*$",
    "(?:a?)*",
    "(a*){2,}",
    "((a{1,9}){1,9}){9,}",
    "(a)\\1",
    "(?P<x>a)\\k<x>",
    "a{1000}",
    "((((a{99}){99}){99}){99})",
  ])("has no bound: %j", (pattern) => {
    expect(pathsOf(pattern, LENGTH)).toBe(Number.POSITIVE_INFINITY);
  });
});
