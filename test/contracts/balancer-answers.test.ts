/** What the example of HAProxy answers by itself is what clients of the API understand, and it drops no node that still answers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { problem } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { ROOT } from "../parts/program.ts";

const config = readFileSync(join(ROOT, "packaging/cloud/haproxy.cfg"), "utf8");
const section = (name: string) => config.split(/^(?=\S)/m).find((text) => text.startsWith(`${name}\n`)) ?? "";
const serversOf = (backend: string) => section(backend).match(/^ {4}server .*$/gm);
const ERROR = /^ {4}http-error status (\d+) content-type application\/problem\+json string '(.*)' hdr retry-after 1$/gm;

test.each([
  [502, "unknown"],
  [503, "not_sent"],
  [504, "unknown"],
])("%i of the balancer is an error of the API, whose outcome is %s", (status, outcome) => {
  const [, , body] = [...section("defaults").matchAll(ERROR)].find(([, of]) => Number(of) === status) ?? [];
  expect(problem.parse(JSON.parse(body ?? "null"))).toMatchObject({ status, title: "Service Unavailable", outcome });
});

test("while no node is ready, requests go to the nodes all the same, which are then only asked whether they listen", () => {
  expect(section("frontend cloud")).toContain("    use_backend nodes_unready if { nbsrv(nodes) eq 0 }\n");
  expect(serversOf("backend nodes")).toHaveLength(3);
  expect(serversOf("backend nodes_unready")).toEqual(serversOf("backend nodes"));
  expect(section("backend nodes_unready")).not.toContain("httpchk");
});
